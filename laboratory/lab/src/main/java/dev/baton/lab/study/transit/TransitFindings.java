package dev.baton.lab.study.transit;

import dev.baton.lab.results.Findings;
import dev.baton.measuring.data.Latency;
import java.util.List;

/**
 * What a transit found beyond its latencies. Immutable, thread-safe.
 *
 * @param floor responses of the bare hand-over of one number, at the same rate, schedule and idling, in the same JVM;
 *     null when it was not measured
 * @param doubts why the floor is not to be trusted, in words for a person; empty when it is, or was not measured
 * @param cpus that the two threads were bound to; empty when they were not
 * @param isolatedCpus that the kernel keeps other threads from, such as {@code 2-7}; empty when there are none or it does
 *     not say
 */
public record TransitFindings(Latency floor, List<String> doubts, List<Integer> cpus, String isolatedCpus)
        implements Findings {

    public TransitFindings {
        doubts = doubts == null ? List.of() : List.copyOf(doubts);
        cpus = cpus == null ? List.of() : List.copyOf(cpus);
        isolatedCpus = isolatedCpus == null ? "" : isolatedCpus;
    }
}
