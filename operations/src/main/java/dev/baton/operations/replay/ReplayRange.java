package dev.baton.operations.replay;

import dev.baton.operations.line.CommandException;
import dev.baton.spi.StartPosition;
import java.time.Instant;

/**
 * The inputs that are replayed: from one position to another, both included. Immutable, thread-safe.
 *
 * @param firstSequence 0 for no bound
 * @param firstNanos since 1970, 0 for no bound
 * @param lastSequence {@link Long#MAX_VALUE} for no bound
 * @param lastNanos since 1970, {@link Long#MAX_VALUE} for no bound
 */
record ReplayRange(long firstSequence, long firstNanos, long lastSequence, long lastNanos) {
    /** All inputs. */
    static final ReplayRange ALL = new ReplayRange(0, 0, Long.MAX_VALUE, Long.MAX_VALUE);

    /**
     * Creates a range of times, both included.
     *
     * @throws IllegalArgumentException for an end before the beginning
     */
    static ReplayRange between(Instant from, Instant until) {
        if (until.isBefore(from)) {
            throw new IllegalArgumentException(
                    "the range from " + from + " until " + until + " is empty: its end is before its start");
        }
        return new ReplayRange(
                0,
                StartPosition.time(from).epochNanos(),
                Long.MAX_VALUE,
                StartPosition.time(until).epochNanos());
    }

    /**
     * Creates a range. Null: no bound.
     *
     * @throws CommandException for a text that is not a sequence and no time, and for an end before the beginning
     */
    static ReplayRange of(String from, String until) {
        StartPosition first = parse("--from", from);
        StartPosition last = parse("--until", until);
        ReplayRange range = new ReplayRange(
                first == null ? 0 : first.sequence(),
                first == null ? 0 : first.epochNanos(),
                last == null || last.kind() != StartPosition.Kind.SEQUENCE ? Long.MAX_VALUE : last.sequence(),
                last == null || last.kind() != StartPosition.Kind.TIME ? Long.MAX_VALUE : last.epochNanos());
        if (range.firstSequence > range.lastSequence || range.firstNanos > range.lastNanos) {
            throw CommandException.usage("--from " + from + " is after --until " + until);
        }
        return range;
    }

    private static StartPosition parse(String option, String typed) {
        if (typed == null) {
            return null;
        }
        try {
            StartPosition position = StartPosition.parse(typed);
            if (position.kind() == StartPosition.Kind.SEQUENCE || position.kind() == StartPosition.Kind.TIME) {
                return position;
            }
        } catch (IllegalArgumentException unknown) {
            // as below
        }
        throw CommandException.usage(
                option + " '" + typed + "' is neither a sequence nor a time such as 2026-03-01T09:30:00Z");
    }

    /** Returns the range up to a sequence. */
    ReplayRange until(long last) {
        return new ReplayRange(firstSequence, firstNanos, Math.min(last, lastSequence), lastNanos);
    }

    /** {@return whether a bound is a sequence, which is valid in one topic only} */
    boolean hasSequence() {
        return firstSequence > 0 || lastSequence < Long.MAX_VALUE;
    }

    boolean isBefore(long sequence, long epochNanos) {
        return sequence < firstSequence || epochNanos < firstNanos;
    }

    boolean isBehind(long sequence, long epochNanos) {
        return sequence > lastSequence || epochNanos > lastNanos;
    }
}
