package dev.baton.lab.launch;

import dev.baton.operations.line.CommandException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A directory for temporary data below the one that the user named. It is removed at the end with its content; the next process
 * removes what a killed one has left. Confined to one thread.
 */
public final class Workspace implements AutoCloseable {
    private static final String PREFIX = "baton-";

    /** The bytes of a test file: enough to fail on a full disk. */
    private static final int PROBE_BYTES = 64 * 1024;

    private final Path directory;
    private final MadeDirectory parent;
    private final OwnerLock owner; // null: it is kept

    private Workspace(Path directory, MadeDirectory parent, OwnerLock owner) {
        this.directory = directory;
        this.parent = parent;
        this.owner = owner;
    }

    /**
     * Creates a workspace.
     *
     * @param parent created if missing
     * @param what the option that named it, for error texts
     * @param isKept whether it remains after the end
     * @throws CommandException when it cannot be written to
     */
    public static Workspace in(Path parent, String what, boolean isKept) {
        requireWritable(parent, what);
        try {
            MadeDirectory made = MadeDirectory.of(parent);
            Path directory = Files.createTempDirectory(made.path(), PREFIX);
            try {
                return new Workspace(directory, made, isKept ? null : OwnerLock.in(directory));
            } catch (IOException failed) {
                delete(directory);
                throw failed;
            }
        } catch (IOException failed) {
            throw unusable(what, parent, failed);
        }
    }

    /**
     * Makes sure that files can be written there, by writing one; leaves nothing behind.
     *
     * @throws CommandException when they cannot
     */
    public static void requireWritable(Path directory, String what) {
        try {
            MadeDirectory made = MadeDirectory.of(directory);
            try {
                Path probe = Files.createTempFile(made.path(), ".baton-", ".probe");
                try {
                    Files.write(probe, new byte[PROBE_BYTES]);
                } finally {
                    Files.deleteIfExists(probe);
                }
            } finally {
                made.removeIfEmpty();
            }
        } catch (IOException failed) {
            throw unusable(what, directory, failed);
        }
    }

    /**
     * Requires free space. It is asked of {@link java.io.File}, which needs no mount entry: a changed root (chroot) may have none.
     *
     * @param neededBytes an estimate on the safe side
     * @throws CommandException when there is less
     */
    public static void requireRoom(Path directory, String what, long neededBytes) {
        long free = MadeDirectory.existingPartOf(directory).toFile().getUsableSpace();
        if (free < neededBytes) {
            throw CommandException.environment(String.format(
                    Locale.ROOT,
                    "%s %s has %d MB free, this run may write %d MB; name another directory, or lower"
                            + " the rate, the duration, or the number or size of what is measured",
                    what,
                    directory,
                    free >> 20,
                    (neededBytes >> 20) + 1));
        }
    }

    /** A new empty directory in here. */
    public Path directory(String name) {
        try {
            return Files.createDirectories(directory.resolve(name));
        } catch (IOException failed) {
            throw unusable("the temporary directory", directory, failed);
        }
    }

    public Path path() {
        return directory;
    }

    /** Returns true if everything in it stays after the end. */
    public boolean isKept() {
        return owner == null;
    }

    /**
     * Deletes this user's workspaces whose processes were killed before they could delete them. In a shared directory, such as /tmp, other
     * users may have created links and directories with such names, and may change their content meanwhile.
     */
    public static void removeAbandoned(Path parent) {
        if (!Files.isDirectory(parent)) {
            return; // a pipe would be waited for
        }
        try (DirectoryStream<Path> others = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path each : others) {
                if (isOurs(each) && OwnerLock.isAbandoned(each)) {
                    delete(each);
                }
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            // then there is nothing of ours in it
        }
    }

    /** Returns whether it is a directory, no link, that only this user may change. */
    private static boolean isOurs(Path directory) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(directory, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (view == null) {
            return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS);
        }
        try {
            PosixFileAttributes attributes = view.readAttributes();
            return attributes.isDirectory()
                    && attributes.owner().equals(currentUser())
                    && !attributes.permissions().contains(PosixFilePermission.GROUP_WRITE)
                    && !attributes.permissions().contains(PosixFilePermission.OTHERS_WRITE);
        } catch (NoSuchFileException gone) {
            return false;
        }
    }

    /** Deletes a directory made here by its name, unless everything is kept. */
    public void discard(String name) {
        remove(directory.resolve(name));
    }

    /** Deletes a directory made here, unless everything is kept. */
    void remove(Path inside) {
        if (!isKept()) {
            delete(inside);
        }
    }

    /** Deletes everything, unless it is kept. */
    @Override
    public void close() {
        remove(directory);
        if (owner != null) {
            owner.close();
        }
        parent.removeIfEmpty();
    }

    /** Deletes as much as can be deleted; what other processes delete meanwhile does no harm. */
    private static void delete(Path directory) {
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failed) {
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path each, IOException failed) throws IOException {
                    Files.deleteIfExists(each);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException left) {
            // temporary data that cannot be deleted is the system's to clean up
        }
    }

    private static CommandException unusable(String what, Path directory, IOException failed) {
        String reason;
        if (failed instanceof AccessDeniedException) {
            reason = "permission denied";
        } else if (failed instanceof FileAlreadyExistsException) {
            reason = "it is not a directory";
        } else if (failed instanceof NoSuchFileException) {
            reason = "it cannot be created";
        } else {
            String text = failed.getMessage() == null ? failed.toString() : failed.getMessage();
            reason = text.substring(text.lastIndexOf(": ") + 1).trim();
        }
        return CommandException.environment(
                what + " " + directory + " cannot be written to: " + reason + "; name another directory", failed);
    }

    /** Returns the user of this process according to the file system: the owner of a file created here. Names may be missing or wrong. */
    private static UserPrincipal currentUser() throws IOException {
        Path probe = Files.createTempFile(".baton-", ".owner");
        try {
            return Files.getOwner(probe);
        } finally {
            Files.delete(probe);
        }
    }

    /**
     * A locked file in a directory, which shows that the directory's owner is alive: the kernel unlocks it when the process ends in any
     * way. Where the file system has no locks there is none, and no directory counts as abandoned.
     *
     * <p>POSIX drops all locks of a process on a file when the process closes any descriptor of it. So this process's own files are not
     * opened again to see whether they are locked. Confined to one thread.
     */
    private static final class OwnerLock implements AutoCloseable {
        private static final String NAME = "owner.lock";

        /** The directories of this process, by real path. */
        private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

        private final FileChannel channel;
        private final Path directory;

        private OwnerLock(FileChannel channel, Path directory) {
            this.channel = channel;
            this.directory = directory;
        }

        /** Makes the calling process the owner. The file appears locked, so that it never counts as abandoned. */
        static OwnerLock in(Path directory) throws IOException {
            Path own = directory.toRealPath();
            Path hidden = directory.resolve("." + NAME);
            FileChannel channel = FileChannel.open(hidden, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            OWN.add(own);
            try {
                channel.lock();
                Files.move(hidden, directory.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException noLocksHere) {
                Files.deleteIfExists(hidden);
            }
            return new OwnerLock(channel, own);
        }

        /** {@return whether the directory had an owner that has ended} False when that is unknown. */
        static boolean isAbandoned(Path directory) {
            Path file = directory.resolve(NAME);
            try {
                if (!Files.isRegularFile(file) || OWN.contains(directory.toRealPath())) {
                    return false;
                }
            } catch (IOException gone) {
                return false;
            }
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                    FileLock lock = channel.tryLock()) {
                return lock != null;
            } catch (IOException | OverlappingFileLockException unknownOrOurOwn) {
                return false;
            }
        }

        @Override
        public void close() {
            OWN.remove(directory);
            try {
                channel.close();
            } catch (IOException left) {
                // the end of the process closes it
            }
        }
    }
}
