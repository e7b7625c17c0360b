package dev.baton.simulation;

import dev.baton.simulation.defects.MethodChange;
import dev.baton.simulation.plan.Rule;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * One planted defect, which the simulator has to find. Immutable.
 *
 * @param name description of the defect
 * @param changes what methods do otherwise
 * @param rule the rule that has to be violated; null: any
 * @param firstSeed first seed of a search: the schedule that found it last, so that a rare one need not be searched again while the
 * schedules are unchanged
 */
record Flaw(String name, List<MethodChange> changes, Rule rule, long firstSeed) {
    static Flaw of(String name, MethodChange... changes) {
        return new Flaw(name, List.of(changes), null, 1);
    }

    /** Returns the defect with the rule that has to be violated. */
    Flaw with(Rule expected) {
        return new Flaw(name, changes, expected, firstSeed);
    }

    /** Returns the defect with the schedule that finds it, after many that do not. */
    Flaw rare(long seed) {
        return new Flaw(name, changes, rule, seed);
    }

    /**
     * Returns the defective classes by name.
     *
     * @throws IllegalStateException if a class has no place for its change any more
     */
    Map<String, byte[]> classes() throws IOException {
        return MethodChange.applied(changes);
    }

    @Override
    public String toString() {
        return name;
    }
}
