package dev.baton.lab.results;

import java.util.List;

/**
 * How fit a machine is for latency work.
 *
 * @param letter A (nothing found) to F
 * @param findings what lowered it, worst first
 */
public record Grade(String letter, List<Finding> findings) {
    public Grade {
        findings = findings == null ? List.of() : List.copyOf(findings);
    }

    /**
     * One thing that was looked at.
     *
     * @param letter the best grade that a machine like this can have
     * @param what was found, with its figure
     * @param remedy the command that fixes it, or who can; null when nothing need be done
     */
    public record Finding(String letter, String what, String remedy) {}
}
