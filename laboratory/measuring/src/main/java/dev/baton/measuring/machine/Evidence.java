package dev.baton.measuring.machine;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The observations while a few threads were watched, with times of {@link System#nanoTime}. Immutable.
 *
 * @param startNanos of the watch
 * @param stops of all threads of this JVM, in order
 * @param compilations that began, and discarded code, in order
 * @param oversleeps of the probe of each core, from a threshold on
 * @param slices of the watch, in order, with the kernel's counts in each
 * @param cores by their probes
 * @param cpuCores cost of the watch, over wall time; null when the JVM does not report it
 * @param absent one sentence for each source that was not available
 */
public record Evidence(
        long startNanos,
        long endNanos,
        List<Stop> stops,
        List<Compilation> compilations,
        List<Oversleep> oversleeps,
        List<Slice> slices,
        List<Probed> cores,
        Double cpuCores,
        List<String> absent) {

    public Evidence {
        stops = List.copyOf(stops);
        compilations = List.copyOf(compilations);
        oversleeps = List.copyOf(oversleeps);
        slices = List.copyOf(slices);
        cores = List.copyOf(cores);
        absent = List.copyOf(absent);
    }

    /**
     * One stop of all threads.
     *
     * @param operation as the JVM calls it
     * @param nanos from the request to the release
     * @param reachingNanos until the last thread had stopped
     * @param collectionNanos of that in the pause of a garbage collection, 0 for another reason
     */
    public record Stop(String operation, long startNanos, long nanos, long reachingNanos, long collectionNanos) {
        /** All stops within a window, from the lines of {@link VmLog}. */
        public static List<Stop> parse(List<String> log, long startNanos, long endNanos) {
            return Pauses.parse(log, startNanos, endNanos).stops();
        }

        /**
         * All pauses of garbage collections, from the lines of {@link VmLog}.
         *
         * @throws IllegalArgumentException when a line that reports a pause or a stop cannot be read, with the line
         */
        public static List<Stop> collections(List<String> log) {
            Pauses pauses = Pauses.parse(log, Long.MIN_VALUE / 2, Long.MAX_VALUE / 2);
            if (pauses.unreadable() != null) {
                throw new IllegalArgumentException(MachineWatch.unreadable(pauses.unreadable()));
            }
            return pauses.gcPauses();
        }

        public long endNanos() {
            return startNanos + nanos;
        }
    }

    /**
     * A compilation of a method, or the discarding of its code.
     *
     * @param atNanos when its compilation began or its code was discarded
     * @param level 4: the optimising compiler
     */
    public record Compilation(long atNanos, int level, String method, boolean isDiscarded) {
        /** Stamp, number, attributes, level, method; native wrappers are not compiled. */
        private static final Pattern LINE =
                Pattern.compile("\\[(\\d+)ns\\S*] +\\d+ +[%s!bn ]*? *([1-4]) +(\\S+::\\S+).*");

        /**
         * Parses the lines of {@link VmLog}. A line is written when a compilation begins, so it has no duration: the compilers' cost is the
         * CPU time of their threads.
         */
        public static List<Compilation> parse(List<String> log) {
            return log.stream()
                    .map(LINE::matcher)
                    .filter(Matcher::matches)
                    .map(line -> new Compilation(
                            Long.parseLong(line.group(1)),
                            Integer.parseInt(line.group(2)),
                            line.group(3),
                            line.group().contains("made not entrant")))
                    .toList();
        }
    }

    /**
     * One sleep of a core's probe that took longer than asked.
     *
     * @param wasStopped whether the process was stopped from outside
     */
    public record Oversleep(int core, long endNanos, long nanos, boolean wasStopped) {}

    /**
     * The oversleeps of the probe of a core, a thread that sleeps repeatedly.
     *
     * @param core as the kernel numbers it
     * @param sleepNanos requested duration of each sleep
     */
    public record Probed(int core, long sleepNanos, long count, long p50Nanos, long p99Nanos, long maxNanos) {}

    /**
     * One interval between two readings of the kernel's counters.
     *
     * @param watched by watched thread
     * @param compilersNanos CPU time of the JVM's compiler threads
     * @param collectorsNanos CPU time of its collector's threads
     * @param restNanos CPU time of its other threads, without the watched ones
     * @param stolenNanos by core, counted in 10 ms
     */
    public record Slice(
            long startNanos,
            long endNanos,
            List<Watched> watched,
            long compilersNanos,
            long collectorsNanos,
            long restNanos,
            List<Stolen> stolenNanos) {
        public Slice {
            watched = List.copyOf(watched);
            stolenNanos = List.copyOf(stolenNanos);
        }

        public boolean overlaps(long fromNanos, long toNanos) {
            return endNanos - fromNanos > 0 && startNanos - toNanos < 0;
        }
    }

    /**
     * The activity of a watched thread in a slice.
     *
     * @param ranNanos on a core
     * @param waitedNanos ready to run, without a core
     * @param core at the end of the slice; -1 when unknown
     * @param hasMoved whether it began on another one
     */
    public record Watched(long ranNanos, long waitedNanos, int core, boolean hasMoved) {}

    /** Time of a core that the hypervisor gave to other guests; never 0. */
    public record Stolen(int core, long nanos) {}
}
