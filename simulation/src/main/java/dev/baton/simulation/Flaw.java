package dev.baton.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * One thing done wrong, which the simulator has to find: a source with some text replaced. Immutable.
 *
 * @param name what is wrong
 * @param source the file that is changed, below the root
 * @param changes pairs of what stands there, exactly once, and what stands there instead
 * @param rule the rule that has to be violated; null: any
 * @param firstSeed where a search begins: the schedule that found it last, so that nobody searches for a rare one again
 *     as long as the schedules stay what they are
 */
record Flaw(String name, String source, List<String> changes, Rule rule, long firstSeed) {
    static Flaw of(String name, String source, String... changes) {
        return new Flaw(name, source, List.of(changes), null, 1);
    }

    /** The same, found when this rule is violated. */
    Flaw with(Rule expected) {
        return new Flaw(name, source, changes, expected, firstSeed);
    }

    /** The same, found by this schedule after hundreds that do not find it. */
    Flaw rare(long seed) {
        return new Flaw(name, source, changes, rule, seed);
    }

    /**
     * The source with the mistake in it.
     *
     * @throws IllegalStateException when the source has changed so that the flaw does not fit any more
     */
    String changed(Path root) throws IOException {
        String text = Files.readString(root.resolve(source));
        for (int i = 0; i < changes.size(); i += 2) {
            String right = changes.get(i);
            int found = text.indexOf(right);
            if (found < 0 || text.indexOf(right, found + 1) >= 0) {
                throw new IllegalStateException("flaw '" + name + "': " + source + " has to hold once, but "
                        + (found < 0 ? "does not hold" : "holds more than once") + ":\n" + right);
            }
            text = text.replace(right, changes.get(i + 1));
        }
        return text;
    }
}
