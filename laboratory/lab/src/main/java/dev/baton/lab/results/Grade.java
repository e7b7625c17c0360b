package dev.baton.lab.results;

import java.util.List;

/**
 * The suitability of a machine for latency work.
 *
 * @param letter A (no findings) to F
 * @param findings that lowered it, worst first
 */
public record Grade(String letter, List<Finding> findings) {
    public Grade {
        findings = findings == null ? List.of() : List.copyOf(findings);
    }

    /**
     * One property that was examined.
     *
     * @param letter the best grade that a machine like this can have
     * @param what was found, with its figure
     * @param remedy the command that fixes it, or the person who can; null when nothing needs to be done
     */
    public record Finding(String letter, String what, String remedy) {}
}
