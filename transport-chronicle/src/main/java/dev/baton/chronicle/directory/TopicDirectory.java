package dev.baton.chronicle.directory;

import dev.baton.chronicle.Links;
import dev.baton.chronicle.platform.FileFailure;
import dev.baton.chronicle.platform.SyncedFile;
import dev.baton.spi.AccessRefusedException;
import dev.baton.spi.TransportException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
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
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The directory below which each topic has one of its own. Made for the owner alone where the file system knows owners;
 * links are followed only where that is allowed, and a directory that anybody may write to is refused. Links among the
 * directories above it are up to the caller. Thread-safe.
 */
public final class TopicDirectory {
    private static final String QUEUE_FILES = "*.{cq4,cq4t}";

    // of a repair, before the name of the topic: no names of topics
    private static final String MADE = ".repair-";
    private static final String COMPLETE = ".repaired-";
    private static final String BEFORE = ".before-repair-";

    private final Path root;

    private final Links links;

    private TopicDirectory(Path root, Links links) {
        this.root = root;
        this.links = links;
    }

    /** Makes the directory unless it exists, by its real path. */
    public static TopicDirectory at(Path directory, Links links) {
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

    /** A directory that is there, perhaps one that may only be read. */
    public static TopicDirectory found(Path directory, Links links) {
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
                    + " is a symbolic link, which is not followed; name what it points to, or say links=follow");
        }
    }

    public Links links() {
        return links;
    }

    /** The real path of the directory itself. */
    public Path root() {
        return root;
    }

    /**
     * Syncs the names of the directory and of those above it, as far as they lie on its file system. Those that this user may
     * not read were made by another one.
     */
    public void syncParents() {
        try {
            FileStore store = Files.getFileStore(root);
            for (Path above = root.getParent(); above != null; above = above.getParent()) {
                if (!Files.getFileStore(above).equals(store)) {
                    return;
                }
                if (Files.isReadable(above)) {
                    SyncedFile.sync(above);
                }
            }
        } catch (IOException e) {
            throw new TransportException("cannot sync the directories above " + root + ": " + e, e);
        }
    }

    /**
     * Makes the topic's directory unless it is there, and gives it its identity.
     *
     * @return whether the directory was made here; if it fails, one that was is removed
     */
    public boolean create(String topic) {
        requireNoInterruptedRepair(topic);
        Path directory = root.resolve(topic);
        boolean isMade = false;
        try {
            isMade = make(directory);
            TopicHistory.create(existing(topic));
            return isMade;
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

    /** The directory of a topic that exists. */
    public Path existing(String topic) {
        Path directory = root.resolve(ValidName.check("topic", topic));
        if (links == Links.REFUSE && Files.isSymbolicLink(directory)) {
            throw new AccessRefusedException("topic " + topic + " in " + root
                    + " is a symbolic link, which is not followed; remove it, or say links=follow");
        }
        if (!isTopic(directory)) {
            requireNoInterruptedRepair(topic);
            throw new TransportException("topic " + topic + " does not exist in " + root);
        }
        try {
            requireClosed(directory, "topic " + topic + ": " + directory);
        } catch (IOException e) {
            throw new TransportException("cannot use topic " + topic + " in " + root + ": " + FileFailure.reason(e), e);
        }
        return directory;
    }

    private void requireNoInterruptedRepair(String topic) {
        if (isInterruptedRepair(topic)) {
            throw new TransportException("topic " + topic + " in " + root
                    + " was being repaired when the process ended: run the repair again, which completes it");
        }
    }

    private boolean isInterruptedRepair(String topic) {
        return Files.notExists(root.resolve(topic), LinkOption.NOFOLLOW_LINKS)
                && Files.exists(root.resolve(COMPLETE + topic), LinkOption.NOFOLLOW_LINKS);
    }

    /** Makes the directory for what is left of a topic, in place of one that an earlier repair has left. */
    public Path beginRepair(String topic) throws IOException {
        removeRepair(topic);
        make(root.resolve(MADE + topic));
        return root.resolve(MADE + topic);
    }

    /** Removes what a repair has made, if the topic's directory is still in its place. */
    public void abandonRepair(String topic) throws IOException {
        if (Files.exists(root.resolve(topic), LinkOption.NOFOLLOW_LINKS)) {
            removeRepair(topic);
        }
    }

    private void removeRepair(String topic) throws IOException {
        remove(root.resolve(MADE + topic));
        remove(root.resolve(COMPLETE + topic));
    }

    /** Puts the complete directory in place of the topic's, which is kept; returns where that is. */
    public Path finishRepair(String topic) throws IOException {
        Path before = root.resolve(BEFORE + topic + "-" + System.currentTimeMillis());
        Files.move(root.resolve(MADE + topic), root.resolve(COMPLETE + topic));
        Files.move(existing(topic), before);
        completeRepair(topic);
        return before;
    }

    /** Completes a repair whose process ended when it was to put the new directory in place; false: there is none. */
    public boolean completeRepair(String topic) throws IOException {
        boolean isInterrupted = isInterruptedRepair(ValidName.check("topic", topic));
        if (isInterrupted) {
            Files.move(root.resolve(COMPLETE + topic), root.resolve(topic));
        }
        return isInterrupted;
    }

    /** The names of all topics, in order. A directory that holds no queue and no history is none. */
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

    /** Removes the topic with all that it holds; does nothing when it does not exist. */
    public void delete(String topic) {
        if (!ValidName.isFine(topic) || !isTopic(root.resolve(topic))) {
            return;
        }
        try {
            removeRepair(topic); // or a later repair would bring the topic back
            remove(root.resolve(topic));
        } catch (IOException e) {
            throw new TransportException(
                    "cannot delete topic " + topic + " in " + root + ": " + FileFailure.reason(e), e);
        }
    }

    private static void remove(Path directory) throws IOException {
        if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            Files.walkFileTree(directory, new Removal());
        }
    }

    /** True also for what cannot be read, which is not ignored. */
    private static boolean holdsAQueue(Path directory) {
        if (Files.exists(directory.resolve(TopicHistory.FILE), LinkOption.NOFOLLOW_LINKS)) {
            return true;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, QUEUE_FILES)) {
            return files.iterator().hasNext();
        } catch (IOException unreadable) {
            return true;
        }
    }

    private boolean isTopic(Path directory) {
        return links == Links.FOLLOW
                ? Files.isDirectory(directory)
                : Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS);
    }

    /** Where anybody may write, anybody may put files, or a link, in place of ours. A group is for its owner to judge. */
    private static void requireClosed(Path directory, String what) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(directory, PosixFileAttributeView.class);
        if (view != null && view.readAttributes().permissions().contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new AccessRefusedException(what + " may be written to by every user of this machine; use a directory"
                    + " of your own, or take that right from others");
        }
    }

    /** Returns whether it was made here; false if it was there. */
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

    /** Removes what the walk meets; what is already gone is no error. */
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
