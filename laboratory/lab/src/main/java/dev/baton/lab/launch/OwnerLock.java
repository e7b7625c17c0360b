package dev.baton.lab.launch;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A locked file in a directory, which says that the directory's owner lives: the kernel unlocks it when the process ends,
 * however it ends. Where the file system knows no locks there is none, and nobody takes the directory for abandoned.
 * Confined to one thread.
 */
final class OwnerLock implements AutoCloseable {
    private static final String NAME = "owner.lock";

    private final FileChannel channel;

    private OwnerLock(FileChannel channel) {
        this.channel = channel;
    }

    /** Makes the calling process the owner. The file appears locked, so that nobody can take it for abandoned. */
    static OwnerLock in(Path directory) throws IOException {
        Path hidden = directory.resolve("." + NAME);
        FileChannel channel = FileChannel.open(hidden, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            channel.lock();
            Files.move(hidden, directory.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException noLocksHere) {
            Files.deleteIfExists(hidden);
        }
        return new OwnerLock(channel);
    }

    /** Whether the directory had an owner that has ended. False when that cannot be found out. */
    static boolean isAbandoned(Path directory) {
        Path file = directory.resolve(NAME);
        if (!Files.isRegularFile(file)) {
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
        try {
            channel.close();
        } catch (IOException left) {
            // the end of the process closes it
        }
    }
}
