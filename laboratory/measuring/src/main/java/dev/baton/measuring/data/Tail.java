package dev.baton.measuring.data;

import java.util.List;

/**
 * The causes of the messages above a percentile. The time of each is divided among the causes, every nanosecond once.
 *
 * @param percentile whose value is the threshold
 * @param thresholdNanos its value; the messages that took longer are the tail
 * @param messages in the tail
 * @param joined those of them whose times were kept and which the shares describe
 * @param shares largest first; those of the joined messages' time add up to 1
 */
public record Tail(double percentile, long thresholdNanos, long messages, long joined, List<Share> shares) {
    public Tail {
        shares = shares == null ? List.of() : List.copyOf(shares);
    }

    /**
     * One cause's part.
     *
     * @param part of the time of all joined messages, from 0 to 1
     * @param messages that lost more time to this cause than to any other
     */
    public record Share(Cause cause, double part, long messages) {}

    /** The causes of a message's time, strongest evidence first. */
    public enum Cause {
        /** A collection stopped the JVM. */
        GC,
        /** The JVM stopped for another reason. */
        SAFEPOINT,
        /** The process was stopped from outside. */
        STOPPED,
        /** The host ran something else. */
        HOST,
        /** The generator's thread was ready to send and had no core. */
        GENERATOR_WITHOUT_CPU,
        /** The sending loop waited for the time of its next sweep, as its latency budget allows. */
        GENERATOR_PACED,
        /** The sending thread slept until after the message was due. */
        GENERATOR_PARKED,
        /** The generator was late for none of these reasons: usually its thread was busy with other messages. */
        GENERATOR,
        /** Earlier messages were still under way. */
        QUEUEING,
        /** No watched cause. */
        UNKNOWN
    }
}
