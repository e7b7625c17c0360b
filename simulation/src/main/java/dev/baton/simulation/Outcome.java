package dev.baton.simulation;

import java.util.List;

/**
 * What became of a schedule. Immutable.
 *
 * @param violation null: everything was kept
 * @param choices that lead to it
 * @param faults how many of each kind
 * @param met what it came to, how many times
 * @param hash of everything that happened
 * @param lines what happened, when that was asked for
 */
record Outcome(
        Violation violation,
        int[][] choices,
        Setting setting,
        int steps,
        int[] faults,
        int[] met,
        long hash,
        List<String> lines) {}
