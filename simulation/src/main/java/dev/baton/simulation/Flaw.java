package dev.baton.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * One thing done wrong, which the simulator has to find: a source with some text replaced, or a defect that core is known
 * to have and that is not stepped around. Immutable.
 *
 * @param name what is wrong
 * @param source the file that is changed, below the root; null: core has the defect
 * @param changes pairs of what stands there, exactly once, and what stands there instead
 * @param shows known defects that are not stepped around, because what triggers them is needed to find it
 * @param rule the rule that has to be violated; null: any
 */
record Flaw(String name, String source, List<String> changes, Set<Known> shows, Rule rule) {
    static Flaw of(String name, String source, String... changes) {
        return new Flaw(name, source, List.of(changes), Set.of(), null);
    }

    /** A defect that core has as it is. */
    static Flaw present(String name, Known known, Rule rule) {
        return new Flaw(name, null, List.of(), Set.of(known), rule);
    }

    /** The same, looked for with a known defect in place. */
    Flaw with(Known known, Rule expected) {
        return new Flaw(name, source, changes, Set.of(known), expected);
    }

    Set<Known> stepsAround() {
        Set<Known> known = EnumSet.allOf(Known.class);
        known.removeAll(shows);
        return known;
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
