package dev.baton.simulation;

import dev.baton.simulation.plan.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * One planted defect, which the simulator has to find: a source with some text replaced. Immutable.
 *
 * @param name description of the defect
 * @param source the changed file, below the root
 * @param changes pairs of an old text, which occurs exactly once, and its new text
 * @param rule the rule that has to be violated; null: any
 * @param firstSeed first seed of a search: the schedule that found it last, so that a rare one need not be searched again while the
 * schedules are unchanged
 */
record Flaw(String name, String source, List<String> changes, Rule rule, long firstSeed) {
    static Flaw of(String name, String source, String... changes) {
        return new Flaw(name, source, List.of(changes), null, 1);
    }

    /** Returns the defect with the rule that has to be violated. */
    Flaw with(Rule expected) {
        return new Flaw(name, source, changes, expected, firstSeed);
    }

    /** Returns the defect with the schedule that finds it, after hundreds that do not. */
    Flaw rare(long seed) {
        return new Flaw(name, source, changes, rule, seed);
    }

    /**
     * Returns the source with the defect in it.
     *
     * @throws IllegalStateException when the source has changed so that the defect no longer fits
     */
    String changed(Path root) throws IOException {
        String text = Files.readString(root.resolve(source));
        for (int i = 0; i < changes.size(); i += 2) {
            String right = changes.get(i);
            int found = text.indexOf(right);
            if (found < 0 || text.indexOf(right, found + 1) >= 0) {
                throw new IllegalStateException("flaw '" + name + "': " + source + " has to contain once, but "
                        + (found < 0 ? "does not hold" : "holds more than once") + ":\n" + right);
            }
            text = text.replace(right, changes.get(i + 1));
        }
        return text;
    }
}
