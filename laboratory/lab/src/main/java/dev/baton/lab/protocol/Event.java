package dev.baton.lab.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.baton.operations.line.CommandException;

/**
 * A report of a trial while it runs: one JSON object per line on the child's standard output. {@code ready} first, then {@code progress}
 * about twice a second, and last one {@code result} or {@code error}. Immutable, thread-safe.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Event.Ready.class, name = "ready"),
    @JsonSubTypes.Type(value = Event.Progress.class, name = "progress"),
    @JsonSubTypes.Type(value = Event.Result.class, name = "result"),
    @JsonSubTypes.Type(value = Event.Failed.class, name = "error")
})
public sealed interface Event {
    /** The phase of a trial. */
    enum Phase {
        OPENING,
        WARMUP,
        MEASURING,
        DRAINING,
        CLOSING,
        /** Measures the workload's comparison after its close. */
        BESIDE
    }

    /** The plan was read and is about to run. @param pid of the child */
    record Ready(long pid) implements Event {}

    /**
     * A sign of life.
     *
     * @param elapsedNanos of this phase
     * @param remainingNanos of this phase; an upper bound while draining, null when it is unknown
     * @param opened instances ready so far
     * @param p50Nanos of the responses since the previous progress; null without any
     * @param p99Nanos of the same responses; null without any
     */
    record Progress(Phase phase, long elapsedNanos, Long remainingNanos, int opened, Long p50Nanos, Long p99Nanos)
            implements Event {}

    /** The trial has ended and its files are written. @param file absolute path of the {@code trial.json} */
    record Result(String file) implements Event {}

    /**
     * The trial has no result.
     *
     * @param kind origin of the failure
     * @param message one line for a person
     */
    record Failed(CommandException.Kind kind, String message) implements Event {}
}
