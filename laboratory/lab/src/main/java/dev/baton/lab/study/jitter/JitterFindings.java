package dev.baton.lab.study.jitter;

import dev.baton.lab.results.Findings;
import java.util.List;

/**
 * What held two threads up, and how that is known.
 *
 * <p>An event is a stretch during which messages were late one behind the other: it begins with a message that was due
 * when nothing was in arrears, and ends with the last one that became due before its predecessor had arrived. Its length
 * is the longest response within.
 *
 * @param intervalMillis of guaranteed safepoints in this run, 0 for off; null when the JVM does not tell
 * @param isJvmDefault whether nobody has set that interval
 * @param events the longest, longest first, as many as were asked for
 * @param tallies of all kept events by cause, most time first
 * @param kept events that were attributed: the longest of the measurement, {@code events} among them
 * @param keptFromNanos length of the shortest of these; null without any
 * @param stops safepoints of the measurement by operation, most time first
 * @param compilations methods compiled during the measurement, and those whose code was discarded
 * @param cores what the probe of each core found
 * @param watchCpuCores CPU time of the probes and of the thread that reads the kernel's counters, over wall time
 * @param watchPeriodNanos how often those counters were read: what a cause can be narrowed down to
 * @param absent one sentence for each source that could not be had
 */
public record JitterFindings(
        Long intervalMillis,
        boolean isJvmDefault,
        List<Event> events,
        List<Tally> tallies,
        long kept,
        Long keptFromNanos,
        List<Stops> stops,
        long compilations,
        List<Core> cores,
        Double watchCpuCores,
        long watchPeriodNanos,
        List<String> absent)
        implements Findings {

    public JitterFindings {
        events = events == null ? List.of() : List.copyOf(events);
        tallies = tallies == null ? List.of() : List.copyOf(tallies);
        stops = stops == null ? List.of() : List.copyOf(stops);
        cores = cores == null ? List.of() : List.copyOf(cores);
        absent = absent == null ? List.of() : List.copyOf(absent);
    }

    /** Who or what held the threads up. */
    public enum Cause {
        /** The JVM stopped all threads to collect garbage. */
        GC,
        /** The JVM stopped all threads for another reason. */
        SAFEPOINT,
        /** The compilers of this JVM had the core, or took compiled code away. */
        JIT,
        /** Instruments or other threads of this JVM had the core. */
        TRIAL,
        /** The thread waited for a core that no thread of this JVM used: another process or the kernel had it. */
        OTHER_PROCESSES,
        /** The host did not run the core. */
        HOST,
        /** The thread came to another core at that time, and nothing else is known. */
        MIGRATION,
        /** None of these explains half of it. */
        UNKNOWN
    }

    /**
     * One event.
     *
     * @param atNanos when its longest message was due, from the first measured slot
     * @param nanos longest response
     * @param sendDelayNanos part of it before the message was sent: the producer was held up
     * @param messages that were late in one go
     * @param cause of at least half of it
     * @param evidence what says so, with figures
     */
    public record Event(long atNanos, long nanos, long sendDelayNanos, long messages, Cause cause, String evidence) {}

    /** Kept events of one cause. @param nanos their lengths together */
    public record Tally(Cause cause, long events, long nanos) {}

    /**
     * Safepoints of one operation.
     *
     * @param reachingWorstNanos longest time until all threads had stopped
     */
    public record Stops(String operation, long count, long nanos, long worstNanos, long reachingWorstNanos) {}

    /**
     * What a thread found that sleeps over and over, pinned to one core: how much longer than asked it slept.
     *
     * @param core as the kernel numbers it
     * @param sleepNanos asked for each time
     */
    public record Core(int core, long sleepNanos, long count, long p50Nanos, long p99Nanos, long maxNanos) {}

    /** What a cause took; zeros when it took nothing. */
    public Tally tally(Cause cause) {
        return tallies.stream()
                .filter(each -> each.cause() == cause)
                .findFirst()
                .orElse(new Tally(cause, 0, 0));
    }
}
