package dev.baton.simulation.world;

import dev.baton.simulation.plan.Setting;
import dev.baton.simulation.plan.Violation;
import java.util.List;

/**
 * The outcome of a schedule. Immutable.
 *
 * @param violation null for none
 * @param choices that lead to it
 * @param faults number of each kind
 * @param met number of times that each situation was reached
 * @param hash of everything that happened
 * @param lines trace, if it was requested
 */
public record ScheduleOutcome(
        Violation violation,
        int[][] choices,
        Setting setting,
        int steps,
        int[] faults,
        int[] met,
        long hash,
        List<String> lines) {}
