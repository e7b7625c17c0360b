package dev.baton.lab.doctor;

import java.util.List;

/**
 * Whether the machine is all one's own. Immutable, thread-safe.
 *
 * @param hints that it is not; empty when nothing hints at it
 */
record SharedHost(List<String> hints) implements Reading {
    SharedHost {
        hints = List.copyOf(hints);
    }

    /** The hints themselves stand in the line about the machine, which every report has. */
    @Override
    public List<Finding> findings() {
        return List.of(
                hints.isEmpty()
                        ? Finding.fine("host", "nothing hints at a virtual or shared one")
                        : Finding.of(
                                GradeLetter.D,
                                "host",
                                "shared or virtual",
                                "other guests take its cores and caches, unseen from here",
                                "ask your provider for a dedicated machine (bare metal)"));
    }
}
