package dev.baton.measuring.data;

/**
 * One part of a chain, with the times of messages in it: a topic, from the commit by its writer to the beginning of its reader's callback;
 * or a service, from there to the commit of its output.
 *
 * @param name of the service, or of the topic's place: {@code topic 0}
 * @param samples that were taken; not every message need be one
 * @param untimed measured messages without a time, because they came so late that the notes of the stage before were overwritten; the
 * samples lack these slow messages
 * @param p50Nanos null without samples, like the rest; 0: unknown, as both ends have the same clock reading, which the messages of a batch
 * share
 */
public record Stage(
        Kind kind,
        String name,
        long samples,
        long untimed,
        Long p50Nanos,
        Long p99Nanos,
        Long p999Nanos,
        Long maxNanos) {
    /** The activity of a message in a stage. */
    public enum Kind {
        /** Waits to be read. */
        TOPIC,
        /** Is handled by a service. */
        SERVICE
    }
}
