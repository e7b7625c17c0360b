package dev.baton.lab.page;

import dev.baton.lab.results.Json;
import dev.baton.measuring.data.TrialEnvironment;
import dev.baton.operations.terminal.Units;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Records as lines of a table, whatever components they have: a name in words and a value with its unit. Stateless. */
final class Facts {
    private static final String NANOS = "nanos";
    private static final String BYTES = "bytes";

    private Facts() {}

    /**
     * A fact.
     *
     * @param name in words
     */
    record Fact(String name, String value) {}

    /** Returns the known facts of an environment. */
    static List<Fact> of(TrialEnvironment environment) {
        List<Fact> facts = new ArrayList<>();
        if (environment != null) {
            add(facts, "", Json.parse(Json.line(environment), Map.class));
        }
        return facts;
    }

    private static void add(List<Fact> facts, String prefix, Map<?, ?> values) {
        values.forEach((key, value) -> {
            String name = prefix + words(String.valueOf(key));
            if (value instanceof Map<?, ?> nested) {
                add(facts, name + ": ", nested);
            } else if (isTold(value)) {
                facts.add(new Fact(unitless(name), text(name, value)));
            }
        });
    }

    private static boolean isTold(Object value) {
        return value != null && !(value instanceof Collection<?> all && all.isEmpty());
    }

    private static String text(String name, Object value) {
        if (value instanceof Collection<?> all) {
            return all.stream()
                    .map(each -> each instanceof Map<?, ?> map ? pairs(map) : String.valueOf(each))
                    .collect(Collectors.joining("\n"));
        }
        if (value instanceof Number number && name.endsWith(BYTES)) {
            return Units.bytes(number.longValue());
        }
        if (value instanceof Number number && name.endsWith(NANOS)) {
            return number.longValue() < 1000
                    ? String.format(Locale.ROOT, "%.1f ns", number.doubleValue())
                    : Units.time(number.longValue());
        }
        if (value instanceof Boolean isTrue) {
            return isTrue ? "yes" : "no";
        }
        return String.valueOf(value);
    }

    private static String pairs(Map<?, ?> map) {
        return map.entrySet().stream()
                .filter(entry -> entry.getValue() != null)
                .map(entry -> words(String.valueOf(entry.getKey())) + " " + entry.getValue())
                .collect(Collectors.joining(", "));
    }

    private static String unitless(String name) {
        return name.replaceFirst(" (" + NANOS + "|" + BYTES + ")$", "");
    }

    /** {@code nanoTimeCostNanos} as words; names that contain anything but letters stay. */
    private static String words(String name) {
        return name.matches("[a-zA-Z]+")
                ? name.replaceAll("([a-z])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT)
                : name;
    }
}
