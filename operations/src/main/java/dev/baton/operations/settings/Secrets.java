package dev.baton.operations.settings;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Redaction of secrets: values of keys that sound like a secret must not reach a file or a terminal, wherever they come from. The list of
 * these keys is only here; it includes more than necessary, such as the name of a mechanism. Immutable, thread-safe.
 */
public final class Secrets {
    /** Stands for a value that is not shown. */
    public static final String HIDDEN = "***";

    private static final String KEYS = "password|passwd|passphrase|pwd|secret|credential|token|sasl|jaas|key.?store"
            + "|trust.?store|api.?key|access.?key|private.?key|basic.?auth|authorization|bearer";

    private static final Pattern KEY = Pattern.compile("(?i).*(" + KEYS + ").*", Pattern.DOTALL);

    /** {@code -Dsome.password=x}, {@code client.sasl.jaas.config=x}, {@code -o=client.ssl.keystore.password=x}. */
    private static final Pattern ASSIGNMENT =
            // anchored at the key's begin and a '=': otherwise each character of a long word would be tried
            Pattern.compile("(?i)(?<![^\\s=])(?=[^\\s=]*+=)([^\\s=]*(?:" + KEYS + ")[^\\s=]*=)(.*)", Pattern.DOTALL);

    /** {@code http://user:password@host}. */
    private static final Pattern USER = Pattern.compile("(?<!\\w)(\\w++://)([^/@\\s]+)@");

    /** Parts of a value that are secrets by themselves: {@code password="x";}. */
    private static final Pattern QUOTED = Pattern.compile("\"([^\"]+)\"|'([^']+)'");

    /** A shorter value would be found everywhere. */
    private static final int SHORTEST = 4;

    private final List<String> values;

    private Secrets(List<String> values) {
        this.values = values;
    }

    /**
     * Returns the secrets in arguments, options or flags of the form {@code key=value}, which are hidden where they are
     * repeated.
     */
    public static Secrets in(Collection<String> assignments) {
        List<String> values = new ArrayList<>();
        for (String each : assignments) {
            Matcher assignment = ASSIGNMENT.matcher(each);
            if (assignment.find()) {
                add(values, assignment.group(2));
                QUOTED.matcher(assignment.group(2))
                        .results()
                        .forEach(part -> add(values, part.group(1) == null ? part.group(2) : part.group(1)));
            }
            USER.matcher(each).results().forEach(user -> add(values, user.group(2)));
        }
        values.sort(Comparator.comparingInt(String::length).reversed()); // a value may contain another
        return new Secrets(List.copyOf(values));
    }

    private static void add(List<String> values, String value) {
        if (value.length() >= SHORTEST && !value.equals(HIDDEN)) {
            values.add(value);
        }
    }

    /** Options with {@value #HIDDEN} in place of every value whose key sounds like a secret. */
    public static SortedMap<String, String> redacted(Map<String, String> options) {
        SortedMap<String, String> shown = new TreeMap<>(options);
        shown.replaceAll((key, value) -> KEY.matcher(key).matches() ? HIDDEN : redacted(value));
        return shown;
    }

    /** Returns an argument, option or flag with {@value #HIDDEN} in place of the value of a key that sounds like a secret. */
    public static String redacted(String argument) {
        Matcher assignment = ASSIGNMENT.matcher(argument);
        String shown = assignment.find() ? argument.substring(0, assignment.end(1)) + HIDDEN : argument;
        return USER.matcher(shown).replaceAll("$1" + HIDDEN + "@");
    }

    /** Returns arguments with the values of secret keys replaced, each for itself. */
    public static List<String> redacted(List<String> arguments) {
        return arguments.stream().map(Secrets::redacted).toList();
    }

    /** A text, such as another library's complaint, with {@value #HIDDEN} in place of each of these secrets. */
    public String hiddenIn(String text) {
        String shown = text;
        for (String value : values) {
            shown = shown.replace(value, HIDDEN);
        }
        return USER.matcher(shown).replaceAll("$1" + HIDDEN + "@");
    }
}
