package dev.baton.lab.matrix;

import dev.baton.operations.line.CommandException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** All combinations of the options' values, the last option changing fastest. Immutable, thread-safe. */
public record Combinations(List<Map<String, String>> all, List<String> varying) {
    /** The largest number of combinations. */
    private static final int MOST = 10_000;

    /** Creates the combinations of options with their values; one empty combination for none. */
    public static Combinations of(Map<String, List<String>> options) {
        double count = options.values().stream().mapToDouble(List::size).reduce(1, (one, other) -> one * other);
        if (count > MOST) {
            throw CommandException.usage(
                    String.format(Locale.ROOT, "the options make %,.0f combinations; %,d are the most", count, MOST));
        }
        List<Map<String, String>> all = new ArrayList<>(List.of(Map.of()));
        for (Map.Entry<String, List<String>> option : options.entrySet()) {
            List<Map<String, String>> longer = new ArrayList<>();
            for (Map<String, String> each : all) {
                for (String value : option.getValue()) {
                    Map<String, String> more = new LinkedHashMap<>(each);
                    more.put(option.getKey(), value);
                    longer.add(more);
                }
            }
            all = longer;
        }
        List<String> varying = options.entrySet().stream()
                .filter(option -> option.getValue().size() > 1)
                .map(Map.Entry::getKey)
                .toList();
        return new Combinations(List.copyOf(all), varying);
    }

    /** Returns the values that distinguish a combination from others, such as {@code keys 10000 state boxed}. */
    public String name(Map<String, String> combination) {
        return varying.stream()
                .map(option -> option + " " + combination.get(option))
                .collect(Collectors.joining(" "));
    }
}
