package dev.baton.lab.study.jitter;

import dev.baton.lab.results.Findings;
import dev.baton.measuring.machine.Evidence.Probed;
import java.util.List;

/**
 * The delays of the two threads, and the evidence of their causes.
 *
 * <p>An event is an interval in which messages were late one after the other: it begins with a message that was due when no message was
 * late, and ends with the last one that became due before its predecessor had arrived. Its length is the longest response within.
 *
 * @param intervalMillis of guaranteed safepoints in this run, 0 for off; null when the JVM does not report it
 * @param isJvmDefault whether that interval is the default
 * @param events the longest, longest first, as many as requested
 * @param tallies of all kept events by cause, most time first
 * @param kept events that were attributed: the longest of the measurement, including {@code events}
 * @param keptFromNanos length of the shortest of these; null without any
 * @param stops safepoints of the measurement by operation, most time first
 * @param compilations methods compiled during the measurement, and those whose code was discarded
 * @param cores results of the probe of each core
 * @param watchCpuCores CPU time of the probes and of the thread that reads the kernel's counters, over wall time
 * @param watchPeriodNanos interval of these readings: the resolution of a cause
 * @param absent one sentence for each source that was not available
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
        List<Probed> cores,
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

    /** The causes of delays. */
    public enum Cause {
        GC("GC", "collections of this JVM"),
        SAFEPOINT("safepoint", "stops of this JVM for another reason"),
        JIT("JIT", "its compilers had the core, or discarded compiled code"),
        TRIAL("own threads", "other threads of this JVM, the instruments among them, had the core"),
        OTHER_PROCESSES("other processes", "the thread waited for a core that another process or the kernel had"),
        STOPPED("process stopped", "someone stopped this process"),
        HOST("host", "the core itself did not run"),
        MIGRATION("migration", "the thread changed cores, without other evidence"),
        UNKNOWN("unknown", "nothing explains half of the delay");

        /** The name in a table. */
        final String words;

        final String meaning;

        Cause(String words, String meaning) {
            this.words = words;
            this.meaning = meaning;
        }
    }

    /**
     * One event.
     *
     * @param atNanos when its longest message was due, from the first measured slot
     * @param nanos longest response
     * @param sendDelayNanos part of it before the message was sent: the producer was delayed
     * @param messages that were late in it
     * @param cause of at least half of it
     * @param evidence in words, with figures
     */
    public record Event(long atNanos, long nanos, long sendDelayNanos, long messages, Cause cause, String evidence) {}

    /** Kept events of one cause. @param nanos their lengths together */
    public record Tally(Cause cause, long events, long nanos) {}

    /** Safepoints of one operation. @param reachingWorstNanos longest time until all threads had stopped */
    public record Stops(String operation, long count, long nanos, long worstNanos, long reachingWorstNanos) {}

    /** The safepoints of one operation; zeros when there were none. */
    Stops stops(String operation) {
        return stops.stream()
                .filter(each -> each.operation().equals(operation))
                .findFirst()
                .orElse(new Stops(operation, 0, 0, 0, 0));
    }

    /** {@return the time of a cause; zeros for none} */
    public Tally tally(Cause cause) {
        return tallies.stream()
                .filter(each -> each.cause() == cause)
                .findFirst()
                .orElse(new Tally(cause, 0, 0));
    }
}
