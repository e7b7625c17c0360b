package dev.baton.chronicle.platform;

import dev.baton.spi.Incarnation;
import java.util.UUID;

/**
 * The run of the operating system in which something was stored: the page cache keeps it up to the end of that run. In tests, the
 * system property {@value Incarnation#BOOT_ID} makes a process run as after a restart of the host. Stateless, thread-safe.
 */
public final class Boot {
    /** The value in place of a run for a writer that syncs what it stores. */
    public static final long SYNCED = -1;

    /** The value for such a writer that was closed, and left nothing that is not synced. */
    public static final long SYNCED_AND_CLOSED = -2;

    /** The present run; 0 where the system has no number for it. */
    public static final long PRESENT = present();

    private Boot() {}

    /** Returns whether what was stored was synced, too. */
    public static boolean isSynced(long boot) {
        return boot < 0;
    }

    /** Returns whether what was stored in a run has to be there now. */
    public static boolean keeps(long boot) {
        return isSynced(boot) || boot == PRESENT && boot != 0;
    }

    /** Returns whether a power failure may have left a part of what a writer of a run wrote and did not confirm. */
    public static boolean mayHaveTorn(long boot) {
        return boot == SYNCED || boot > 0 && boot != PRESENT;
    }

    private static long present() {
        UUID id = Incarnation.bootId();
        return id == null ? 0 : id.getMostSignificantBits() >>> 1;
    }
}
