package dev.baton.spi;

import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A position at which a consumer begins to read a topic: where it left off or, regardless of that, the oldest remaining frame,
 * after the newest frame, a sequence, or a time. Immutable, thread-safe.
 */
public final class StartPosition {
    /** The kind of a start position; {@link Transport#startPositions} returns the kinds that a transport supports. */
    public enum Kind {
        /** After the last frame that the consumer acknowledged. Every transport supports it. */
        STORED,
        /** The oldest frame that the topic still holds. */
        EARLIEST,
        /** After the newest frame. */
        LATEST,
        /** The frame with a given sequence. */
        SEQUENCE,
        /** The first frame that was sent at or after a given time. */
        TIME;

        private String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final StartPosition STORED = new StartPosition(Kind.STORED, 0, null);
    private static final StartPosition EARLIEST = new StartPosition(Kind.EARLIEST, 0, null);
    private static final StartPosition LATEST = new StartPosition(Kind.LATEST, 0, null);
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final Kind kind;
    private final long sequence;
    private final Instant time; // null unless TIME

    private StartPosition(Kind kind, long sequence, Instant time) {
        this.kind = kind;
        this.sequence = sequence;
        this.time = time;
    }

    /**
     * {@return the position after the last frame that the consumer acknowledged, which is the oldest frame that the topic still
     * holds for a new consumer}
     */
    public static StartPosition stored() {
        return STORED;
    }

    /** {@return the position of the oldest frame that the topic still holds} */
    public static StartPosition earliest() {
        return EARLIEST;
    }

    /** {@return the position after the newest frame that the topic holds at open} */
    public static StartPosition latest() {
        return LATEST;
    }

    /**
     * {@return the position of the frame with a sequence}
     *
     * @param sequence sequence, from 1 to one more than that of the newest frame
     */
    public static StartPosition sequence(long sequence) {
        if (sequence < 1) {
            throw new IllegalArgumentException("a start at sequence " + sequence + "; sequences begin with 1");
        }
        return new StartPosition(Kind.SEQUENCE, sequence, null);
    }

    /**
     * {@return the position of the first frame that was sent at or after a time, by the wall clock of its writer's host} If all
     * frames were sent earlier, it is after the newest frame. If writers ran on hosts with different clocks, frames may not be
     * in the order of these times; then it is one of the frames around the time.
     *
     * @param time time between the years 1970 and 2262
     */
    public static StartPosition time(Instant time) {
        Objects.requireNonNull(time, "time");
        if (time.isBefore(Instant.EPOCH) || time.getEpochSecond() >= Long.MAX_VALUE / NANOS_PER_SECOND) {
            throw new IllegalArgumentException("a start at " + time + "; times are between the years 1970 and 2262");
        }
        return new StartPosition(Kind.TIME, 0, time);
    }

    /**
     * {@return the position of a text: {@code earliest}, {@code latest}, a sequence, or a time such as
     * 2026-03-01T09:30:00Z}
     *
     * @param text text as typed; blanks around it are ignored
     * @throws IllegalArgumentException for anything else; the text lists the allowed forms
     */
    public static StartPosition parse(String text) {
        String typed = text.strip();
        if (typed.equals(Kind.EARLIEST.text())) {
            return EARLIEST;
        }
        if (typed.equals(Kind.LATEST.text())) {
            return LATEST;
        }
        try {
            return typed.matches("-?[0-9]+") ? sequence(Long.parseLong(typed)) : time(Instant.parse(typed));
        } catch (NumberFormatException | DateTimeException unknown) {
            throw new IllegalArgumentException("'" + text + "' is no start position: earliest, latest, a sequence, or a"
                    + " time such as 2026-03-01T09:30:00Z");
        }
    }

    /** {@return the kind of this position} */
    public Kind kind() {
        return kind;
    }

    /** {@return whether the consumer continues where it left off} */
    public boolean isStored() {
        return kind == Kind.STORED;
    }

    /** {@return the sequence of a position of {@link Kind#SEQUENCE}; 0 for other kinds} */
    public long sequence() {
        return sequence;
    }

    /** {@return the time of a position of {@link Kind#TIME}, in nanoseconds since 1970-01-01T00:00Z; 0 for other kinds} */
    public long epochNanos() {
        return time == null ? 0 : time.getEpochSecond() * NANOS_PER_SECOND + time.getNano();
    }

    /**
     * Requires that a transport supports this kind.
     *
     * @param transport name of the transport
     * @param known kinds that it supports
     * @throws UnsupportedOperationException if it does not; the text names the kind and the supported ones
     */
    public void requireIn(String transport, Set<Kind> known) {
        if (!known.contains(kind)) {
            throw new UnsupportedOperationException("transport " + transport + " cannot open a consumer at " + this
                    + "; it can at: " + known.stream().sorted().map(Kind::text).collect(Collectors.joining(", ")));
        }
    }

    /**
     * {@return the sequence before the first frame to be read, for the kinds that need neither a stored position nor a search for a time}
     *
     * @param topic topic for the message
     * @param oldest sequence of the oldest frame that the topic holds; one more than {@code newest} when it holds none
     * @param newest sequence of the newest frame ever stored
     * @throws TopicMismatchException if the position was removed; the text names the oldest one
     * @throws TransportException if the position does not exist yet; the text names the newest one
     */
    public long before(String topic, long oldest, long newest) {
        switch (kind) {
            case EARLIEST:
                return oldest - 1;
            case LATEST:
                return newest;
            case SEQUENCE:
                if (sequence < oldest) {
                    throw removed(topic, oldest);
                }
                if (sequence - 1 > newest) {
                    throw new TransportException(
                            "topic '" + topic + "' has no " + this + " yet: its newest frame has sequence " + newest);
                }
                return sequence - 1;
            default:
                throw new IllegalStateException("the sequence of " + this + " is not known without the topic");
        }
    }

    /**
     * {@return the exception for a topic that no longer holds this position}
     *
     * @param topic topic for the message
     * @param oldest sequence of the oldest remaining frame
     */
    public TopicMismatchException removed(String topic, long oldest) {
        return new TopicMismatchException("topic '" + topic + "' does not hold " + this
                + " any more: the oldest frame left has sequence " + oldest);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StartPosition that
                && kind == that.kind
                && sequence == that.sequence
                && Objects.equals(time, that.time);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, sequence, time);
    }

    /** Returns a readable form: "earliest", "latest", "sequence 7", "time 2026-03-01T09:30:00Z". */
    @Override
    public String toString() {
        return switch (kind) {
            case STORED -> "the stored position";
            case EARLIEST, LATEST -> kind.text();
            case SEQUENCE -> kind.text() + " " + sequence;
            case TIME -> kind.text() + " " + time;
        };
    }
}
