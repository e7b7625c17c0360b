package dev.baton.lab.request;

import dev.baton.measuring.Mix;
import dev.baton.operations.settings.Range;
import dev.baton.spi.options.Options;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The own work of a service for each message, before it sends its output. Immutable, thread-safe.
 *
 * @param kind what the service does meanwhile
 * @param nanos duration; for {@link Kind#EXP} the mean
 */
public record Work(Kind kind, long nanos) {
    public static final String GRAMMAR = "5us, busy:5us, block:1ms or exp:20us, up to 1s";

    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The kinds of work. */
    public enum Kind {
        /** Uses the CPU until the time is over. */
        BUSY,
        /** Parks the thread, as a call of another system does. */
        BLOCK,
        /** Uses the CPU for a time drawn from an exponential distribution. */
        EXP
    }

    public Work {
        Objects.requireNonNull(kind, "kind");
        Range.check("work, in ns,", nanos, 0, MOST_NANOS);
    }

    /** Reads {@link #GRAMMAR}. @throws IllegalArgumentException for other texts */
    public static Work of(String text) {
        int colon = text.indexOf(':');
        try {
            Kind kind = colon < 0
                    ? Kind.BUSY
                    : Kind.valueOf(text.substring(0, colon).toUpperCase(Locale.ROOT));
            return new Work(
                    kind, Options.parseDuration(text.substring(colon + 1)).toNanos());
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException("work '" + text + "' is not known; " + GRAMMAR, malformed);
        }
    }

    /** Returns the work of one service, for its thread alone. @param seed of the times that are drawn */
    public Runnable start(long seed) {
        return switch (kind) {
            case BUSY -> () -> spin(nanos);
            case BLOCK -> () -> park(nanos);
            case EXP ->
                new Runnable() {
                    private long number;

                    @Override
                    public void run() {
                        spin((long) (nanos * Mix.exponential(seed, number++)));
                    }
                };
        };
    }

    private static void spin(long nanos) {
        for (long begin = System.nanoTime(); System.nanoTime() - begin < nanos; ) {
            Thread.onSpinWait();
        }
    }

    private static void park(long nanos) {
        long begin = System.nanoTime();
        for (long left = nanos; left > 0; left = nanos - (System.nanoTime() - begin)) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public String toString() {
        return kind.name().toLowerCase(Locale.ROOT) + ":" + Limit.time(nanos);
    }
}
