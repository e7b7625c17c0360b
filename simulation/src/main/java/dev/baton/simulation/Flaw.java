package dev.baton.simulation;

import dev.baton.simulation.plan.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One planted defect, which the simulator has to find: a source with some text replaced. Immutable.
 *
 * @param name description of the defect
 * @param source the changed file, below the root
 * @param changes pairs of an old text, which occurs exactly once in whatever layout, and its new text
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

    /** Returns the defect with the schedule that finds it, after many that do not. */
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
            Matcher right = inAnyLayout(changes.get(i)).matcher(text);
            long found = right.results().count();
            if (found != 1) {
                throw new IllegalStateException("flaw '" + name + "': " + source + " has to contain once, but "
                        + (found == 0 ? "does not hold" : "holds more than once") + ":\n" + changes.get(i));
            }
            text = right.replaceFirst(Matcher.quoteReplacement(changes.get(i + 1)));
        }
        return text;
    }

    /** Returns a pattern of the text that ignores white space, which the formatter changes together with lines around it. */
    private static Pattern inAnyLayout(String text) {
        return Pattern.compile(Arrays.stream(text.split("(?<=\\W)|(?=\\W)"))
                .filter(token -> !token.isBlank())
                .map(Pattern::quote)
                .collect(Collectors.joining("\\s*")));
    }
}
