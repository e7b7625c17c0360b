package dev.baton.chronicle;

import net.openhft.chronicle.core.time.TimeProvider;

/**
 * The clock that decides which file a topic is written to: it never goes back behind the newest one.
 *
 * <p>By a clock that steps back Chronicle would append to an older file, where readers that have left it do not look, and
 * from whose end sequences would be given again. While the time is behind, the topic goes on in the file that it is in.
 * Told by the topic's writer, asked by any thread.
 */
final class FileClock implements TimeProvider {
    private final TimeProvider clock;
    private volatile long leastMillis = Long.MIN_VALUE;

    FileClock(TimeProvider clock) {
        this.clock = clock;
    }

    /** When the newest file begins, in milliseconds as the clock counts them. */
    void newestFile(long beginMillis) {
        leastMillis = Math.max(leastMillis, beginMillis);
    }

    @Override
    public long currentTimeMillis() {
        return Math.max(clock.currentTimeMillis(), leastMillis);
    }
}
