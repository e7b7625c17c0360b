package dev.baton.lab.request;

import dev.baton.operations.settings.Range;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The place in which one process carries out a {@link TrialPlan}: created when its JVM is about to start, kept in the result with the plan.
 * Immutable, thread-safe.
 *
 * @param resultDirectory exists; the trial writes {@code <id>.trial.json} and {@code <id>.hlog} into it
 * @param queueDirectory directory of the transport's files, for the report on the file system; null for none
 * @param options that the place adds to those of the plan's transport: a fresh directory, the brokers of our own
 * @param brokerPids processes on this machine whose CPU and memory are the transport's; empty for none
 * @param meeting of the processes that share the trial; null for a single one
 * @param spread chain whose services run in separate processes; null when all run in the trial's
 * @param isKept whether the topics remain when the trial ends
 */
public record Place(
        String resultDirectory,
        String queueDirectory,
        SortedMap<String, String> options,
        List<Long> brokerPids,
        Meeting meeting,
        Spread spread,
        boolean isKept) {
    public Place {
        Objects.requireNonNull(resultDirectory, "resultDirectory");
        options = options == null ? new TreeMap<>() : new TreeMap<>(options);
        brokerPids = brokerPids == null ? List.of() : List.copyOf(brokerPids);
    }

    /** Returns the place with services in separate processes. */
    public Place with(Spread services) {
        return new Place(resultDirectory, queueDirectory, options, brokerPids, meeting, services, isKept);
    }

    /** Returns a copy, so that no caller changes a place. */
    @Override
    public SortedMap<String, String> options() {
        return new TreeMap<>(options);
    }

    /**
     * The meeting point of the processes that share a trial, so that all of them measure at the same time.
     *
     * @param directory exists, and is used by this trial only; each process writes a file named by its id to it
     * @param processes expected number
     */
    public record Meeting(String directory, int processes) {
        /** A bound that a typing mistake meets before the machine does. */
        public static final int MOST_PROCESSES = 1_000;

        public Meeting {
            Objects.requireNonNull(directory, "directory");
            Range.check("processes", processes, 1, MOST_PROCESSES);
        }
    }

    /**
     * A chain whose services run in processes of their own: the trial's JVM keeps its inlet and its sink.
     *
     * @param chain its name, by which the processes find each other
     * @param pids of the processes; empty until they run
     */
    public record Spread(String chain, List<Long> pids) {
        public Spread {
            Objects.requireNonNull(chain, "chain");
            pids = pids == null ? List.of() : List.copyOf(pids);
        }

        /** A name that no other trial's chain has. */
        public static String uniqueChain() {
            return "trial-" + Long.toString(ProcessHandle.current().pid(), 36)
                    + Long.toString(System.nanoTime() & 0xFFFFFFFFFFL, 36);
        }
    }
}
