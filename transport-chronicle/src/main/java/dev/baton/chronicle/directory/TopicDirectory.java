package dev.baton.chronicle.directory;

import dev.baton.chronicle.Links;
import dev.baton.chronicle.platform.Device;
import dev.baton.chronicle.platform.FileFailure;
import dev.baton.chronicle.platform.SyncedFile;
import dev.baton.spi.errors.AccessRefusedException;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The directory below which each topic has its own. Created for the owner alone where the file system has owners. Links
 * are followed only where the options allow it, and a directory that every user may write to is refused; links among
 * the directories above it are up to the caller. Thread-safe.
 */
public final class TopicDirectory {
    private static final String QUEUE_FILES = "*.{cq4,cq4t}";
    private static final String FRAME_FILES = "*.cq4";

    private final Path root;

    private final Links links;

    private TopicDirectory(Path root, Links links) {
        this.root = root;
        this.links = links;
    }

    /** Creates the directory unless it exists, and opens it by its real path. */
    public static TopicDirectory open(Path directory, Links links) {
        refuseLink(directory, links);
        try {
            if (!Files.isDirectory(directory)) {
                Path parent = directory.toAbsolutePath().getParent();
                if (parent != null) {
                    Files.createDirectories(parent);
                }
                make(directory);
            }
            TopicDirectory made = new TopicDirectory(directory.toRealPath(), links);
            requireClosed(made.root, "directory " + directory);
            if (!Files.isWritable(made.root)) {
                throw new TransportException("directory " + directory + " is not writable by this user");
            }
            return made;
        } catch (IOException e) {
            throw new TransportException("cannot use directory " + directory + ": " + FileFailure.reason(e), e);
        }
    }

    /** Opens an existing directory, which may be read-only. */
    public static TopicDirectory openExisting(Path directory, Links links) {
        refuseLink(directory, links);
        try {
            if (!Files.isDirectory(directory)) {
                throw new TransportException("there is no directory " + directory);
            }
            return new TopicDirectory(directory.toRealPath(), links);
        } catch (IOException e) {
            throw new TransportException("cannot use directory " + directory + ": " + FileFailure.reason(e), e);
        }
    }

    private static void refuseLink(Path directory, Links links) {
        if (links == Links.REFUSE && Files.isSymbolicLink(directory.normalize())) {
            throw new AccessRefusedException("directory " + directory
                    + " is a symbolic link, which is not followed; name what it points to, or set links=follow");
        }
    }

    public Links links() {
        return links;
    }

    /** Returns the real path of the directory itself. */
    public Path root() {
        return root;
    }

    /**
     * Syncs the names of the directory and of those above it, as far as they lie on its file system. Directories that
     * this user may not read were made by another one.
     */
    public void syncParents(Device device) {
        try {
            Object fileSystem = Files.getAttribute(root, "unix:dev");
            for (Path above = root.getParent(); above != null; above = above.getParent()) {
                if (!Files.getAttribute(above, "unix:dev").equals(fileSystem)) {
                    return;
                }
                if (Files.isReadable(above)) {
                    SyncedFile.sync(above, device);
                }
            }
        } catch (IOException e) {
            throw new TransportException("cannot sync the directories above " + root + ": " + FileFailure.reason(e), e);
        }
    }

    /**
     * Creates the topic's directory unless it exists, and gives it its identity; returns whether the topic was created,
     * also in a directory that a killed process has left empty. A directory that was created is removed on failure.
     */
    public boolean create(String topic, Device device) {
        Path directory = root.resolve(topic);
        boolean isMade = false;
        try {
            isMade = make(directory);
            Path files = existing(topic);
            boolean isNew = isMade || !hasHistory(files) && isLeftEmpty(files);
            return TopicHistory.create(files, device) && isNew; // or another process has created it
        } catch (IOException | RuntimeException e) {
            if (isMade) {
                delete(topic);
            }
            throw e instanceof RuntimeException refused
                    ? refused
                    : new TransportException(
                            "cannot create topic " + topic + " in " + root + ": " + FileFailure.reason(e), e);
        }
    }

    /** Returns whether there is a topic of this name. */
    public boolean exists(String topic) {
        Path directory = root.resolve(topic);
        return isTopic(directory) && holdsAQueue(directory);
    }

    /** Returns the directory of a topic that exists. */
    public Path existing(String topic) {
        Path directory = root.resolve(ValidName.check("topic", topic));
        if (links == Links.REFUSE && Files.isSymbolicLink(directory)) {
            throw new AccessRefusedException("topic " + topic + " in " + root
                    + " is a symbolic link, which is not followed; remove it, or set links=follow");
        }
        if (!isTopic(directory)) {
            throw new TransportException("topic " + topic + " does not exist in " + root);
        }
        try {
            requireClosed(directory, "topic " + topic + ": " + directory);
        } catch (IOException e) {
            throw new TransportException("cannot use topic " + topic + " in " + root + ": " + FileFailure.reason(e), e);
        }
        return directory;
    }

    /** Returns the names of all topics, in order. A directory without a queue and without a history is not a topic. */
    public Set<String> topics() {
        try (Stream<Path> entries = Files.list(root)) {
            Set<String> names = new TreeSet<>();
            entries.filter(this::isTopic)
                    .filter(TopicDirectory::holdsAQueue)
                    .map(entry -> entry.getFileName().toString())
                    .filter(ValidName::isFine)
                    .forEach(names::add);
            return names;
        } catch (IOException e) {
            throw new TransportException("cannot list the topics in " + root + ": " + FileFailure.reason(e), e);
        }
    }

    /** Removes the topic with all its files; does nothing when it does not exist. */
    public void delete(String topic) {
        if (!ValidName.isFine(topic) || !isTopic(root.resolve(topic))) {
            return;
        }
        try {
            remove(root.resolve(topic));
        } catch (IOException e) {
            throw new TransportException(
                    "cannot delete topic " + topic + " in " + root + ": " + FileFailure.reason(e), e);
        }
    }

    private static void remove(Path directory) throws IOException {
        if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            removeFrames(directory);
        }
        if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            Files.walkFileTree(directory, new Removal());
        }
    }

    /**
     * Removes the frames, the newest first, and then the history, before the metadata, which have the topic's end: what is left of a
     * deletion in which the process is killed is refused as shorter than that, and does not open with a part of the frames.
     */
    private static void removeFrames(Path directory) throws IOException {
        List<Path> newestFirst = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, FRAME_FILES)) {
            files.forEach(newestFirst::add);
        } catch (NoSuchFileException deletedMeanwhile) {
            return;
        } catch (DirectoryIteratorException failed) {
            throw failed.getCause();
        }
        newestFirst.sort(Comparator.reverseOrder());
        newestFirst.add(directory.resolve(TopicHistory.FILE));
        for (Path file : newestFirst) {
            if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                Files.deleteIfExists(file);
            }
        }
    }

    /**
     * Returns whether a directory has queue files, also true for one that cannot be read, which the caller then
     * reports.
     */
    private static boolean holdsAQueue(Path directory) {
        if (hasHistory(directory)) {
            return true;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, QUEUE_FILES)) {
            return files.iterator().hasNext();
        } catch (IOException unreadable) {
            return true;
        }
    }

    private static boolean hasHistory(Path directory) {
        return Files.exists(directory.resolve(TopicHistory.FILE), LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns whether a directory is as a process leaves it that was killed before it gave the topic its identity. */
    private static boolean isLeftEmpty(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.allMatch(file -> file.getFileName().toString().startsWith(TopicHistory.FILE)
                    && !file.getFileName().toString().equals(TopicHistory.FILE));
        }
    }

    private boolean isTopic(Path directory) {
        return links == Links.FOLLOW
                ? Files.isDirectory(directory)
                : Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Refuses a directory that every user may write to, as they could replace its files by others. Access by a group is
     * up to its owner.
     */
    private static void requireClosed(Path directory, String what) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(directory, PosixFileAttributeView.class);
        if (view != null && view.readAttributes().permissions().contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new AccessRefusedException(what + " is writable by every user of this machine; use a directory"
                    + " of your own, or revoke that permission");
        }
    }

    /** Creates a directory; returns false if it existed. */
    private static boolean make(Path directory) throws IOException {
        boolean hasOwners =
                directory.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes = hasOwners
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
        try {
            Files.createDirectory(directory, attributes);
            return true;
        } catch (FileAlreadyExistsException there) {
            if (!Files.isDirectory(directory)) {
                throw there;
            }
            return false;
        }
    }

    /** Removes all files of a walk; a file that is already gone is no error. */
    private static final class Removal extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
