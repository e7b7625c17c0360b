package dev.baton.chronicle.platform;

import dev.baton.spi.errors.TransportException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import net.openhft.posix.PosixAPI;

/**
 * The space of the file system that a transport's directory lies on: measured, taken and freed.
 *
 * <p>Queue files are mapped and have holes where nothing is written yet. The first store into a hole of a full file
 * system is a fault: the JVM reports it as an {@link InternalError} some instructions later, continues meanwhile, and
 * may have published an excerpt of which a part is missing. So space is taken, by {@code fallocate(2)}, before anything
 * is stored there, and a writer that gets none fails while the topic is still complete. Where the system or the file
 * system has no {@code fallocate}, only the free space is checked. Thread-safe.
 */
public final class DiskSpace {
    private static final int READ_WRITE = 2; // O_RDWR of open(2)
    private static final int KEEP_SIZE = 1; // FALLOC_FL_KEEP_SIZE
    private static final int PUNCH_HOLE = 2; // FALLOC_FL_PUNCH_HOLE
    private static final int TRIED = 4 << 10;
    private static final int DU_UNIT = 1 << 10;
    private static final int MAX_DU_SECONDS = 5;
    private static final int TOO_LARGE = 27; // EFBIG: a limit on file sizes
    private static final int FULL = 28; // ENOSPC
    private static final int QUOTA = 122; // EDQUOT

    /** The error numbers of {@code fallocate} where it is not available: EINVAL, ENOSYS, EOPNOTSUPP. */
    private static final String UNKNOWN = ",22,38,95,";

    private final Path directory;
    private final long minFreeBytes;
    private final Free free;
    private final long longestFile = MaxFileSize.bytes();
    private volatile boolean canReserve = System.getProperty("os.name").equals("Linux");

    /** The source of the free space, which tests replace. */
    @FunctionalInterface
    public interface Free {
        /** Returns the bytes that this user may still write. */
        long bytes() throws IOException;
    }

    /** Measures free space by another source than the file system. The last {@code minFreeBytes} stay free. */
    public DiskSpace(Path directory, long minFreeBytes, Free free) {
        this.directory = directory;
        this.minFreeBytes = minFreeBytes;
        this.free = free;
    }

    /** Opens the space of the file system that a directory lies on. */
    public static DiskSpace of(Path directory, long minFreeBytes) {
        return new DiskSpace(directory, minFreeBytes, () -> usableBytes(directory));
    }

    /** Returns the usable bytes. {@link Files#getFileStore} would need a mount entry, which a changed root (chroot) may lack. */
    private static long usableBytes(Path directory) throws IOException {
        long bytes = directory.toFile().getUsableSpace();
        if (bytes == 0 && Files.notExists(directory)) {
            throw new NoSuchFileException(directory.toString());
        }
        return bytes;
    }

    /**
     * Checks that a number of bytes can be written and enough is left.
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
     * Checks that the process may write a file of this length.
     *
     * @throws TransportException when it may not, with directory and sizes
     */
    public void requireLength(String topic, long bytes) {
        if (bytes > longestFile) {
            throw new TransportException("topic " + topic + " cannot be written in " + directory + ": "
                    + MaxFileSize.text(longestFile) + ", and " + megabytes(bytes)
                    + " are needed; raise it, then open the topic again. All stored frames are complete");
        }
    }

    /** Returns the bytes that writers may still take. */
    public long spareBytes() throws IOException {
        return Math.max(0, free.bytes() - minFreeBytes);
    }

    private long freeBytes(String topic) {
        try {
            return free.bytes();
        } catch (IOException e) {
            throw new TransportException(
                    "topic " + topic + ": cannot determine the free space of " + directory + ": " + e, e);
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
        int error = fallocate(posix, file, KEEP_SIZE, offset, length);
        if (error != 0) {
            notReserved(topic, file, length, error, posix.strerror(error));
        }
    }

    /** Calls {@code fallocate(2)}, and returns its error number, 0 for none. */
    private static int fallocate(PosixAPI posix, File file, int mode, long offset, long length) {
        int descriptor = posix.open(file.getPath(), READ_WRITE, 0);
        if (descriptor < 0) {
            throw new TransportException("cannot open " + file + ": " + posix.lastErrorStr());
        }
        try {
            return posix.fallocate(descriptor, mode, offset, length) == 0 ? 0 : posix.lastError();
        } finally {
            posix.close(descriptor);
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
                + " to be left: min-free); make room there, then open it again. All stored frames are complete");
    }

    /**
     * Checks that files below the directory can be freed in part. Takes no space, so that a reader that opens on a full file
     * system can make room there.
     *
     * @throws TransportException when they cannot
     */
    public void requireFreeing() {
        try {
            Path tried = Files.createTempFile(directory, ".holes", "");
            try {
                free(tried.toFile(), 0, TRIED);
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

    /** Frees a range of a file, which reads as zeros from then on; the file keeps its length. */
    public static void free(File file, long offset, long length) {
        PosixAPI posix = PosixAPI.posix();
        int error = fallocate(posix, file, KEEP_SIZE | PUNCH_HOLE, offset, length);
        if (error != 0) {
            throw new TransportException("cannot free a part of " + file + ": " + posix.strerror(error));
        }
    }

    /**
     * Returns the bytes of all files below the directory, without their holes; empty where {@code du(1)} is missing or does not
     * end. Another process reads the files, as one that opens and closes a file loses its locks on it, those of writers among
     * them.
     */
    public OptionalLong takenBytes() {
        Process du;
        try {
            du = new ProcessBuilder("du", "-sk", directory.toString())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException missing) {
            return OptionalLong.empty();
        }
        try (InputStream out = du.getInputStream()) {
            if (!du.waitFor(MAX_DU_SECONDS, TimeUnit.SECONDS)) {
                return OptionalLong.empty();
            }
            String first = new String(out.readAllBytes(), StandardCharsets.UTF_8).split("\\s", 2)[0];
            return first.matches("[0-9]{1,15}")
                    ? OptionalLong.of(Long.parseLong(first) * DU_UNIT)
                    : OptionalLong.empty(); // exit codes report files that vanished meanwhile
        } catch (IOException unreadable) {
            return OptionalLong.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return OptionalLong.empty();
        } finally {
            du.destroyForcibly();
        }
    }

    private static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%.2f MB", bytes / 1e6);
    }
}
