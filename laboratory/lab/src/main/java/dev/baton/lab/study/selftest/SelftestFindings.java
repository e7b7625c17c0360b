package dev.baton.lab.study.selftest;

import dev.baton.lab.results.Findings;
import java.util.List;

/**
 * The observations of the self-test's transport in a trial, independent of the measurement. Immutable, thread-safe.
 *
 * @param pid of the process
 * @param sent messages that the generators handed over, warm-up included
 * @param handedOut messages that the receivers got, copies included
 * @param bunched measured messages that were sent less than a quarter of an interval after the one before
 * @param disturbedNanos for each instance the total time that its threads lost, without planted faults: gaps between two turns, and
 * wake-ups, each longer than a quarter of a millisecond
 * @param worstNanos for each instance the longest single loss of each of its threads, in total
 * @param foreignClasses loaded in this JVM that belong to a transport for users; null when the JVM does not report them
 */
public record SelftestFindings(
        long pid,
        long sent,
        long handedOut,
        long bunched,
        List<Long> disturbedNanos,
        List<Long> worstNanos,
        List<String> foreignClasses)
        implements Findings {
    /** The shortest loss that counts; shorter ones are usual, for each wake-up that a message waits for. */
    public static final long NOTABLE_NANOS = 250_000;

    public SelftestFindings {
        disturbedNanos = List.copyOf(disturbedNanos);
        worstNanos = List.copyOf(worstNanos);
        foreignClasses = foreignClasses == null ? null : List.copyOf(foreignClasses);
    }
}
