package dev.baton.chronicle.platform;

import net.openhft.posix.PosixAPI;

/**
 * Pages of mapped files that this process is about to write. One call of {@code madvise(2)} maps many of them, in place of a page
 * fault for each, where the system can: Linux 5.14 or later. Thread-safe.
 */
public final class MappedPages {
    private static final int POPULATE_WRITE = 23; // MADV_POPULATE_WRITE

    private static volatile boolean canPopulate = true;

    private MappedPages() {}

    /**
     * Makes pages writable without a page fault; their content stays as it is.
     *
     * @param address begin of a page
     * @param length whole pages, for which space of the file system is taken
     * @return false where the system cannot, so that the caller may store into each page instead
     */
    public static boolean populate(long address, long length) {
        if (canPopulate) {
            try {
                canPopulate = PosixAPI.posix().madvise(address, length, POPULATE_WRITE) == 0;
            } catch (RuntimeException | LinkageError none) {
                canPopulate = false;
            }
        }
        return canPopulate;
    }
}
