package dev.baton.lab.engines;

import dev.baton.lab.request.Load;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.spi.options.Options;
import java.util.concurrent.locks.LockSupport;

/** The pause of a thread without a message. Immutable, thread-safe. @param nanos to park for; 0 for the others */
public record Pause(Kind kind, long nanos) {
    private static final String PARK = "park:";

    /** The interval that is assumed at saturation, of which a pause takes an eighth. */
    private static final long NOMINAL_INTERVAL_NANOS = 1_000_000;

    /** A source parks no longer while it does not know its next deadline, or it would begin late. */
    private static final long LONGEST_BLIND_NANOS = 1_000_000;

    public enum Kind {
        PARK,
        SPIN,
        YIELD
    }

    /**
     * Checks a text.
     *
     * @throws IllegalArgumentException for words that these loops do not support
     */
    public static void check(String words) {
        read(words, NOMINAL_INTERVAL_NANOS);
    }

    /** Parses a text; by default a thread parks for an eighth of the interval between two messages. */
    public static Pause of(String words, Load load) {
        return read(words, intervalNanos(load));
    }

    static long intervalNanos(Load load) {
        return load.isSaturated() ? NOMINAL_INTERVAL_NANOS : Math.max(8, (long) load.intervalNanos());
    }

    private static Pause read(String words, long intervalNanos) {
        if (words.startsWith(PARK)) {
            long nanos = Options.parseDuration(words.substring(PARK.length())).toNanos();
            if (nanos < 1) {
                throw new IllegalArgumentException("a pause must be longer than zero");
            }
            return new Pause(Kind.PARK, nanos);
        }
        return switch (words) {
            case LoopPlan.DEFAULT_IDLE -> new Pause(Kind.PARK, intervalNanos / 8);
            case "spin" -> new Pause(Kind.SPIN, 0);
            case "yielding" -> new Pause(Kind.YIELD, 0);
            default ->
                throw new IllegalArgumentException("the reference loops have no idle strategy '" + words
                        + "'; known: default, spin, yielding, park:TIME with a time such as 50us");
        };
    }

    /** Rests once. */
    public void rest() {
        rest(nanos);
    }

    /** Rests until something is due, or less; {@link Long#MAX_VALUE}: nobody knows when. */
    public void restUntil(long deadlineNanos) {
        if (deadlineNanos == Long.MAX_VALUE) {
            rest(Math.min(nanos, LONGEST_BLIND_NANOS));
            return;
        }
        long left = kind == Kind.PARK ? deadlineNanos - System.nanoTime() : 0;
        if (left > 0 || kind != Kind.PARK) {
            rest(left);
        }
    }

    private void rest(long parkNanos) {
        switch (kind) {
            case PARK -> LockSupport.parkNanos(parkNanos);
            case SPIN -> Thread.onSpinWait();
            case YIELD -> Thread.yield();
        }
    }

    @Override
    public String toString() {
        return switch (kind) {
            case PARK -> "park for " + (nanos % 1000 == 0 ? "" + nanos / 1000 : "" + nanos / 1000.0) + " us";
            case SPIN -> "spin";
            case YIELD -> "yield";
        };
    }
}
