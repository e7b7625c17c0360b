package dev.baton.lab.study.transit;

import dev.baton.lab.results.Findings;
import dev.baton.measuring.data.Latency;
import java.util.List;

/**
 * The additional findings of a transit. Immutable, thread-safe.
 *
 * @param floor responses of the bare hand-over of one number, at the same rate, schedule and idle strategy, in the same JVM; null when it
 * was not measured
 * @param doubts why the floor is not reliable, in words for a person; empty when it is, or was not measured
 * @param cpus of the two threads; empty when they were not bound
 * @param isolatedCpus CPUs from which the kernel keeps other threads, such as {@code 2-7}; empty for none, or when it is unknown
 */
public record TransitFindings(Latency floor, List<String> doubts, List<Integer> cpus, String isolatedCpus)
        implements Findings {

    public TransitFindings {
        doubts = doubts == null ? List.of() : List.copyOf(doubts);
        cpus = cpus == null ? List.of() : List.copyOf(cpus);
        isolatedCpus = isolatedCpus == null ? "" : isolatedCpus;
    }
}
