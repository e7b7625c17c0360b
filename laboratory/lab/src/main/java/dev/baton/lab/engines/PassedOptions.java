package dev.baton.lab.engines;

import dev.baton.operations.settings.Subject;
import dev.baton.spi.options.OptionSpec;
import dev.baton.spi.options.Options;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The transport's options as the reference loops take them, and which of those that were typed they took. */
public final class PassedOptions {
    private final Options options;
    private final Map<String, String> passed = new TreeMap<>();
    private final Map<String, String> own = new TreeMap<>();
    private final Set<String> asked = new HashSet<>();

    public PassedOptions(Subject subject, List<OptionSpec> specs) {
        List<String> known = specs.stream().map(OptionSpec::name).toList();
        subject.options().forEach((key, value) -> (known.contains(key) ? own : passed).put(key, value));
        options = new Options(subject.transport(), specs, own);
    }

    /** The value or the transport's default. */
    public String text(String name) {
        asked.add(name);
        return options.text(name);
    }

    public int integer(String name) {
        asked.add(name);
        return options.integer(name, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    public int bytes(String name) {
        asked.add(name);
        return options.bytes(name, 0, Integer.MAX_VALUE);
    }

    boolean isGiven(String name) {
        asked.add(name);
        return options.isGiven(name);
    }

    /** Returns the settings with a prefix such as {@code producer.} or {@code client.} for the library, without the prefix. */
    Map<String, String> passed(String prefix) {
        Map<String, String> chosen = new TreeMap<>();
        passed.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                chosen.put(key.substring(prefix.length()), value);
            }
        });
        return chosen;
    }

    /** Names the typed options that nobody has asked for, for people; empty when there is none. */
    public String unused() {
        List<String> unused =
                own.keySet().stream().filter(key -> !asked.contains(key)).toList();
        return unused.isEmpty() ? "" : "; these loops have no " + String.join(", ", unused);
    }
}
