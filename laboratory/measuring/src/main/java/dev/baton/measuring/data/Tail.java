package dev.baton.measuring.data;

import java.util.List;

/**
 * What the messages above a percentile lived through. The life of each is divided among the causes, every nanosecond
 * once.
 *
 * @param percentile whose value is the threshold
 * @param thresholdNanos its value; the messages that took longer are the tail
 * @param messages in the tail
 * @param joined of these, those whose moments were kept and which the shares are about
 * @param shares largest first; those of the joined messages' time sum up to 1
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

    /** What took a message's time, strongest evidence first. */
    public enum Cause {
        /** A collection stopped the JVM. */
        GC,
        /** The JVM stopped for another reason. */
        SAFEPOINT,
        /** Someone stopped the process. */
        STOPPED,
        /** The host ran something else. */
        HOST,
        /** The generator's thread was ready to send and had no core. */
        GENERATOR_WITHOUT_CPU,
        /** The loop that sends waited for the time of its next sweep, as its latency budget allows. */
        GENERATOR_PACED,
        /** The thread that sends slept for longer than until the message was due. */
        GENERATOR_PARKED,
        /** The generator was late and nothing above says why: its thread was busy with other messages, mostly. */
        GENERATOR,
        /** Earlier messages were still under way. */
        QUEUEING,
        /** Nothing that was watched. */
        UNKNOWN
    }
}
