package dev.baton.chronicle.log;

import java.util.concurrent.atomic.AtomicLong;
import net.openhft.chronicle.core.time.TimeProvider;

/**
 * The clock that decides which file a topic is written to: it never goes back behind the newest one.
 *
 * <p>By a clock that steps back Chronicle would append to an older file, where readers that have left it do not look, and
 * from whose end sequences would be given again. While the time is behind, the topic goes on in the file that it is in.
 *
 * <p>While its writer appends, it stands: the file for which space was taken is the one that is written to, also at the
 * moment of a roll, and the clock is read once for both (20 ns, docs/decisions/016).
 *
 * <p>Set by the topic's writer, read by any thread.
 */
final class FileClock implements TimeProvider {
    private static final long GOES = Long.MIN_VALUE;

    private final TimeProvider clock;
    private final AtomicLong standsAt = new AtomicLong(GOES); // who sees it late reads a time that is late as much
    private volatile long leastMillis = Long.MIN_VALUE;

    FileClock(TimeProvider clock) {
        this.clock = clock;
    }

    /** When the newest file begins, in milliseconds as the clock counts them. */
    void newestFile(long beginMillis) {
        leastMillis = Math.max(leastMillis, beginMillis);
    }

    /**
     * Stands until {@link #release}.
     *
     * @return the time, which may step back
     */
    long hold() {
        long now = clock.currentTimeMillis();
        standsAt.setOpaque(Math.max(now, leastMillis));
        return now;
    }

    void release() {
        standsAt.setOpaque(GOES);
    }

    @Override
    public long currentTimeMillis() {
        long standing = standsAt.getOpaque();
        return standing == GOES ? read() : standing;
    }

    private long read() {
        return Math.max(clock.currentTimeMillis(), leastMillis);
    }
}
