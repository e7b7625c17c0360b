package dev.baton.chronicle.platform;

import dev.baton.spi.TransportException;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import net.openhft.posix.PosixAPI;

/**
 * The space of the file system that a transport's directory lies on.
 *
 * <p>Queue files are mapped and have holes where nothing is written yet. The first store into a hole of a full file
 * system is a fault: the JVM reports it as an {@link InternalError} some instructions later, goes on meanwhile, and may
 * have published an excerpt of which a part is missing. So space is taken, by {@code fallocate(2)}, before anything is
 * stored there, and a writer that gets none says so while the topic is still whole. Where the system or the file system
 * knows no {@code fallocate}, it is only looked whether there is space. Thread-safe.
 */
public final class DiskSpace {
    private static final int READ_WRITE = 2; // O_RDWR of open(2)
    private static final int KEEP_SIZE = 1; // FALLOC_FL_KEEP_SIZE
    private static final int TOO_LARGE = 27; // EFBIG: a limit on file sizes
    private static final int FULL = 28; // ENOSPC
    private static final int QUOTA = 122; // EDQUOT

    /** What {@code fallocate} answers where it is unknown: EINVAL, ENOSYS, EOPNOTSUPP. */
    private static final String UNKNOWN = ",22,38,95,";

    private final Path directory;
    private final long minFreeBytes;
    private final Free free;
    private final long longestFile = FileSizeLimit.bytes();
    private volatile boolean canReserve = System.getProperty("os.name").equals("Linux");

    /** Tells how much there is. */
    @FunctionalInterface
    public interface Free {
        /** Bytes that this user may still write. */
        long bytes() throws IOException;
    }

    /** @param minFreeBytes that are to be left */
    public DiskSpace(Path directory, long minFreeBytes, Free free) {
        this.directory = directory;
        this.minFreeBytes = minFreeBytes;
        this.free = free;
    }

    /** Of the file system that a directory lies on. */
    public static DiskSpace of(Path directory, long minFreeBytes) {
        try {
            FileStore store = Files.getFileStore(directory);
            return new DiskSpace(directory, minFreeBytes, store::getUsableSpace);
        } catch (IOException e) {
            throw new TransportException("cannot tell how much space " + directory + " has: " + e, e);
        }
    }

    /**
     * Checks that so many bytes can be written and enough is left.
     *
     * @throws TransportException when they cannot, with directory and sizes
     */
    public void require(String topic, long bytes) {
        long there = freeBytes(topic);
        if (there < bytes + minFreeBytes) {
            throw full(topic, there, bytes, "its file system is full");
        }
    }

    /**
     * Checks that a file may become so long.
     *
     * @throws TransportException when it may not, with directory and sizes
     */
    public void requireLength(String topic, long bytes) {
        if (bytes > longestFile) {
            throw new TransportException("topic " + topic + " cannot be written in " + directory + ": "
                    + FileSizeLimit.text(longestFile) + ", and " + megabytes(bytes)
                    + " are needed; raise it, then open the topic again. What was stored is whole");
        }
    }

    /** Bytes that writers may still take. */
    public long spareBytes() throws IOException {
        return Math.max(0, free.bytes() - minFreeBytes);
    }

    private long freeBytes(String topic) {
        try {
            return free.bytes();
        } catch (IOException e) {
            throw new TransportException(
                    "topic " + topic + ": cannot tell how much space " + directory + " has: " + e, e);
        }
    }

    /**
     * Takes the space of a part of a file, whose content and length stay as they are.
     *
     * @throws TransportException when there is none, with directory and sizes
     */
    public void reserve(String topic, File file, long offset, long length) {
        require(topic, length);
        if (canReserve) {
            allocate(topic, file, offset, length);
        }
    }

    private void allocate(String topic, File file, long offset, long length) {
        PosixAPI posix;
        try {
            posix = PosixAPI.posix();
        } catch (RuntimeException | LinkageError none) {
            canReserve = false;
            return;
        }
        int descriptor = posix.open(file.getPath(), READ_WRITE, 0);
        if (descriptor < 0) {
            throw new TransportException("topic " + topic + ": cannot open " + file + ": " + posix.lastErrorStr());
        }
        int error = 0;
        String why = "";
        try {
            if (posix.fallocate(descriptor, KEEP_SIZE, offset, length) != 0) {
                error = posix.lastError();
                why = posix.strerror(error);
            }
        } finally {
            posix.close(descriptor);
        }
        if (error != 0) {
            notReserved(topic, file, length, error, why);
        }
    }

    private void notReserved(String topic, File file, long length, int error, String why) {
        if (error == FULL || error == QUOTA || error == TOO_LARGE) {
            throw full(topic, freeBytes(topic), length, why);
        }
        if (!UNKNOWN.contains("," + error + ",")) {
            throw new TransportException("topic " + topic + ": cannot take space for " + file + ": " + why);
        }
        canReserve = false;
    }

    private TransportException full(String topic, long there, long bytes, String why) {
        return new TransportException("topic " + topic + " cannot be written in " + directory + ": " + why + " ("
                + megabytes(there) + " free, " + megabytes(bytes) + " needed, " + megabytes(minFreeBytes)
                + " to be left: min-free); make room there, then open it again. What was stored is whole");
    }

    private static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%.2f MB", bytes / 1e6);
    }
}
