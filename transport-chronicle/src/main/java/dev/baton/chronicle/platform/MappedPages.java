package dev.baton.chronicle.platform;

import net.openhft.posix.PosixAPI;

/**
 * Pages of mapped files that this process is about to write. One call of {@code madvise(2)} maps many of them, in place of a page
 * fault for each, where the system can: Linux 5.14 or later. Thread-safe.
 */
public final class MappedPages {
    private static final int POPULATE_WRITE = 23; // MADV_POPULATE_WRITE
    private static final int EINVAL = 22;
    private static final int ENOSYS = 38;

    private static volatile boolean canPopulate = true;

    private MappedPages() {}

    /**
     * Makes pages writable without a page fault; their content stays as it is. If that fails, for example because the file system is
     * full, a page is mapped when it is written.
     *
     * @param address begin of a page
     * @param length whole pages, for which space of the file system is taken
     * @return false where the system does not know the call, so that the caller may store into each page instead
     */
    public static boolean populate(long address, long length) {
        if (canPopulate) {
            try {
                PosixAPI posix = PosixAPI.posix();
                int error = posix.madvise(address, length, POPULATE_WRITE) == 0 ? 0 : posix.lastError();
                canPopulate = error != EINVAL && error != ENOSYS;
            } catch (RuntimeException | LinkageError none) {
                canPopulate = false;
            }
        }
        return canPopulate;
    }
}
