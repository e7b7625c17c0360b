package dev.baton.lab.study.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An allowed growth of a percentile, such as {@code p99.9<+10%}. Immutable, thread-safe.
 *
 * @param percentile one of 50, 90, 99, 99.9, 99.99, and 100 for the maximum
 * @param share 0 or more: 0.1 is a tenth
 */
public record Allowance(double percentile, double share) {
    private static final Pattern ONE =
            Pattern.compile("[pP]([0-9]{1,3}(?:\\.[0-9]{1,2})?)\\s*<\\s*\\+([0-9]{1,4}(?:\\.[0-9]{1,3})?)\\s*%");
    private static final List<Double> KNOWN = List.of(50.0, 90.0, 99.0, 99.9, 99.99, 100.0);
    private static final String GRAMMAR =
            "write pNN<+N%, several joined by commas, with p50, p90, p99, p99.9, p99.99 or p100 for the maximum, such as"
                    + " p99.9<+10%";

    /**
     * Parses a list of allowances.
     *
     * @throws IllegalArgumentException with the grammar, when the text does not follow it
     */
    public static List<Allowance> parse(String text) {
        List<Allowance> all = new ArrayList<>();
        for (String each : text.split(",", -1)) {
            Matcher matcher = ONE.matcher(each.trim());
            if (!matcher.matches() || !KNOWN.contains(Double.valueOf(matcher.group(1)))) {
                throw new IllegalArgumentException("'" + each + "' cannot be read; " + GRAMMAR);
            }
            all.add(new Allowance(Double.parseDouble(matcher.group(1)), Double.parseDouble(matcher.group(2)) / 100));
        }
        return List.copyOf(all);
    }

    @Override
    public String toString() {
        return "p" + digits(percentile) + "<+" + digits(100 * share) + "%";
    }

    private static String digits(double number) {
        return String.format(Locale.ROOT, "%.3f", number).replaceAll("\\.?0+$", "");
    }
}
