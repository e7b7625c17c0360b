package dev.baton.chronicle.platform;

import dev.baton.spi.TransportException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import net.openhft.posix.PosixAPI;

/** Frees parts of files in place, by {@code fallocate(2)}: Linux with ext4, XFS, Btrfs or tmpfs. Thread-safe. */
public final class Holes {
    private static final int READ_WRITE = 2; // O_RDWR of open(2)
    private static final int KEEP_SIZE_AND_PUNCH_HOLE = 1 | 2; // FALLOC_FL_KEEP_SIZE, FALLOC_FL_PUNCH_HOLE
    private static final int TRIED = 4 << 10;

    private Holes() {}

    /**
     * Checks that files below a directory can be freed in part. Takes no space, so that a reader that opens on a full file system
     * can make room there.
     *
     * @throws TransportException when they cannot
     */
    public static void check(Path directory) {
        try {
            Path tried = Files.createTempFile(directory, ".holes", "");
            try {
                punch(tried.toFile(), 0, TRIED);
            } finally {
                Files.delete(tried);
            }
        } catch (IOException | RuntimeException | LinkageError e) {
            throw new TransportException(
                    "retention=unread needs a file system that can free a part of a file (Linux with ext4, XFS, Btrfs or"
                            + " tmpfs); " + directory + " is on none: " + e.getMessage() + ". Use retention=all, or"
                            + " another dir",
                    e);
        }
    }

    /** Frees a range, which reads as zeros from then on; the file keeps its length. */
    public static void punch(File file, long offset, long length) {
        PosixAPI posix = PosixAPI.posix();
        int descriptor = posix.open(file.getPath(), READ_WRITE, 0);
        if (descriptor < 0) {
            throw failed("open", file, posix);
        }
        try {
            if (posix.fallocate(descriptor, KEEP_SIZE_AND_PUNCH_HOLE, offset, length) != 0) {
                throw failed("free a part of", file, posix);
            }
        } finally {
            posix.close(descriptor);
        }
    }

    private static TransportException failed(String what, File file, PosixAPI posix) {
        return new TransportException("cannot " + what + " " + file + ": " + posix.lastErrorStr());
    }
}
