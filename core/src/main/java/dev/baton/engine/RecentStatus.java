package dev.baton.engine;

import dev.baton.run.Environment;
import dev.baton.run.Limits;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Keeps the newest status for those who ask for one figure after the other. Thread-safe.
 *
 * @param <T> the status
 */
public final class RecentStatus<T> {
    private final Supplier<T> source;
    private final Environment environment;
    private T newest; // null before the first question
    private long askedNanos;

    RecentStatus(Supplier<T> source, Environment environment) {
        this.source = source;
        this.environment = environment;
    }

    /** One that is no older than this. */
    synchronized T get(Duration maxAge) {
        long maxNanos = Limits.nanos("maximum age", maxAge);
        if (newest == null || environment.nanoTime() - askedNanos > maxNanos) {
            newest = source.get();
            askedNanos = environment.nanoTime();
        }
        return newest;
    }
}
