package dev.baton.lab.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.baton.operations.line.CommandException;

/**
 * What a trial says while it runs: one JSON object per line on the child's standard output. {@code ready} first, then
 * {@code progress} about twice a second, and last one {@code result} or {@code error}. Immutable, thread-safe.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Event.Ready.class, name = "ready"),
    @JsonSubTypes.Type(value = Event.Progress.class, name = "progress"),
    @JsonSubTypes.Type(value = Event.Result.class, name = "result"),
    @JsonSubTypes.Type(value = Event.Failed.class, name = "error")
})
public sealed interface Event {
    /** Where a trial stands. */
    enum Phase {
        OPENING,
        WARMUP,
        MEASURING,
        DRAINING,
        CLOSING,
        /** What the workload measures for comparison once it is closed. */
        BESIDE
    }

    /** The plan was read and is about to run. @param pid of the child */
    record Ready(long pid) implements Event {}

    /**
     * A sign of life.
     *
     * @param elapsedNanos of this phase
     * @param remainingNanos of this phase; an upper bound while draining, null when nobody knows
     * @param opened instances ready so far
     * @param p50Nanos of the responses since the previous progress; null without any
     * @param p99Nanos of the same responses; null without any
     */
    record Progress(Phase phase, long elapsedNanos, Long remainingNanos, int opened, Long p50Nanos, Long p99Nanos)
            implements Event {}

    /** The trial is over and its files are written. @param file absolute path of the {@code trial.json} */
    record Result(String file) implements Event {}

    /**
     * The trial has no result.
     *
     * @param kind whose fault it is
     * @param message one line for a person
     */
    record Failed(CommandException.Kind kind, String message) implements Event {}
}
