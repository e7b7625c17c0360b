package dev.baton.lab.request;

import dev.baton.spi.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads limits as people type them. Stateless, thread-safe. */
public final class Limits {
    /** What may be typed. */
    public static final String GRAMMAR =
            "pNN<duration, several joined by commas, such as p99.9<100ms or p50<5ms,p99.9<100ms; p100 is the maximum";

    private static final Pattern ONE =
            Pattern.compile("[pP]([0-9]{1,3}(?:\\.[0-9]{1,6})?)\\s*<\\s*([0-9.]+\\s*[a-z]+)");

    private Limits() {}

    /** @throws IllegalArgumentException that tells the grammar, when the text does not follow it */
    public static List<Limit> parse(String text) {
        List<Limit> limits = new ArrayList<>();
        for (String each : text.split(",", -1)) {
            Matcher matcher = ONE.matcher(each.trim());
            if (!matcher.matches()) {
                throw malformed(each, null);
            }
            try {
                long nanos = Options.parseDuration(matcher.group(2)).toNanos();
                limits.add(new Limit(Double.parseDouble(matcher.group(1)), nanos));
            } catch (IllegalArgumentException refused) {
                throw malformed(each, refused);
            }
        }
        return List.copyOf(limits);
    }

    /** The shortest time that any of them allows. */
    public static long tightestNanos(List<Limit> limits) {
        return limits.stream().mapToLong(Limit::nanos).min().orElseThrow();
    }

    private static IllegalArgumentException malformed(String text, Exception cause) {
        String why = cause == null ? "" : " (" + cause.getMessage() + ")";
        return new IllegalArgumentException("limit '" + text + "' cannot be read" + why + "; write " + GRAMMAR, cause);
    }
}
