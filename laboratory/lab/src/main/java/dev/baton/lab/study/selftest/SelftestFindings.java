package dev.baton.lab.study.selftest;

import dev.baton.lab.results.Findings;
import java.util.List;

/**
 * What the self-test's transport saw of a trial: a witness that has no part in the measurement. Immutable, thread-safe.
 *
 * @param pid of the process
 * @param sent messages that the generators handed over, warm-up included
 * @param handedOut messages that the receivers were given, copies included
 * @param bunched measured messages that were sent less than a quarter of an interval after the one before
 * @param disturbedNanos for each instance the time that its threads lost together, beyond what was done to them on
 *     purpose: gaps between two turns, and wake-ups, each longer than a quarter of a millisecond
 * @param worstNanos for each instance the longest single such loss of each of its threads, together
 * @param foreignClasses loaded in this JVM that belong to a transport for users; null when the JVM does not tell
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
    /** What is shorter than that is a thread's daily life, for each wake-up that a message waits for. */
    public static final long NOTABLE_NANOS = 250_000;

    public SelftestFindings {
        disturbedNanos = List.copyOf(disturbedNanos);
        worstNanos = List.copyOf(worstNanos);
        foreignClasses = foreignClasses == null ? null : List.copyOf(foreignClasses);
    }
}
