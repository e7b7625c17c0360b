package dev.baton.engine;

import dev.baton.run.Environment;
import dev.baton.run.Limits;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * A cache of the newest status, for callers that query one figure after another. Thread-safe.
 *
 * @param <T> type of the status
 */
final class RecentStatus<T> {
    private final Supplier<T> source;
    private final Environment environment;
    private T newest; // null before the first query
    private long askedNanos;

    RecentStatus(Supplier<T> source, Environment environment) {
        this.source = source;
        this.environment = environment;
    }

    /** Returns a status that is at most this old. */
    synchronized T get(Duration maxAge) {
        long maxNanos = Limits.nanos("maximum age", maxAge);
        if (newest == null || environment.nanoTime() - askedNanos > maxNanos) {
            newest = source.get();
            askedNanos = environment.nanoTime();
        }
        return newest;
    }
}
