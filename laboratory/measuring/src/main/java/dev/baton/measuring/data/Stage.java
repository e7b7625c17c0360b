package dev.baton.measuring.data;

/**
 * One part of a chain's way and how long messages took for it: a topic, from the stamp of its writer to the beginning of
 * its reader's callback; or a service, from there to the stamp of its output.
 *
 * @param name of the service, or of the topic's place: {@code topic 0}
 * @param samples that were taken; not every message need be one
 * @param untimed measured messages that were to be timed here and were not, because they came so late that what the place
 *     before had noted of them was overwritten; the samples lack these slow ones
 * @param p50Nanos null without samples, like the rest; 0: it cannot be told, as both stamps are of one reading of the
 *     clock, which the messages of a batch share
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
    /** What a message does in it. */
    public enum Kind {
        /** Waits to be read. */
        TOPIC,
        /** Is worked on. */
        SERVICE
    }
}
