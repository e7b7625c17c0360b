package dev.baton.lab.request;

import dev.baton.operations.settings.Range;
import dev.baton.spi.options.Options;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A bound that every instance must keep on its own histogram of response times.
 *
 * @param percentile above 0, at most 100; 100 bounds the maximum
 * @param nanos the percentile must lie below
 * @param leastSamples responses of a higher rank that a verdict rests on; with fewer there is none. Below {@value
 *     #ENOUGH_SAMPLES} the verdict is provisional: it shows where to look, and is not to be quoted
 */
public record Limit(double percentile, long nanos, int leastSamples) {
    /** The number of samples above a percentile for a verdict; with fewer it is shown grey. */
    public static final int ENOUGH_SAMPLES = 100;

    /** The syntax on the command line. */
    public static final String GRAMMAR =
            "pNN<duration, several joined by commas, such as p99.9<100ms or p50<5ms,p99.9<100ms; p100 is the maximum";

    private static final Pattern ONE =
            Pattern.compile("[pP]([0-9]{1,3}(?:\\.[0-9]{1,6})?)\\s*<\\s*([0-9.]+\\s*[a-z]+)");

    private static final double ROUNDING = 1e-6;

    public Limit {
        if (!(percentile > 0 && percentile <= 100)) {
            throw new IllegalArgumentException("percentile " + percentile + " is out of range; above 0, at most 100");
        }
        Range.check("limit, in ns,", nanos, 1, Long.MAX_VALUE);
        leastSamples = leastSamples == 0 ? ENOUGH_SAMPLES : leastSamples; // absent from older files
    }

    /** A limit whose verdict may be quoted. */
    public Limit(double percentile, long nanos) {
        this(percentile, nanos, ENOUGH_SAMPLES);
    }

    /** Returns the limit, judged on that many samples above it. */
    public Limit judgedOn(int samples) {
        return new Limit(percentile, nanos, samples);
    }

    /** Returns the time for which one instance must be measured at this rate for {@code samples} above the percentile. */
    public long runForNanos(int samples, double ratePerSecond) {
        return (long) Math.ceil(messages(samples) / ratePerSecond * 1e9);
    }

    /** Returns the number of messages of which {@code samples} lie above the percentile. */
    public double messages(int samples) {
        return percentile == 100 ? 1 : Math.ceil(samples / (1 - percentile / 100) - ROUNDING);
    }

    /** {@return the limit as on the command line, such as {@code p99.9<100ms}} */
    @Override
    public String toString() {
        String digits = String.format(Locale.ROOT, "%.6f", percentile).replaceAll("\\.?0+$", "");
        return "p" + digits + "<" + time(nanos);
    }

    /** A time as short as it can be typed without losing a microsecond: {@code 100ms}, {@code 143.36ms}, {@code 2s}. */
    public static String time(long nanos) {
        String[] units = {"ns", "us", "ms", "s"};
        int unit = nanos < 1_000 ? 0 : nanos < 1_000_000 ? 1 : nanos < 1_000_000_000 ? 2 : 3;
        return BigDecimal.valueOf(nanos, 3 * unit).stripTrailingZeros().toPlainString() + units[unit];
    }

    /** Limits as people type them. @throws IllegalArgumentException that tells the grammar, when the text does not follow it */
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

    /** Limits in a sentence: {@code p50 < 5ms and p99.9 < 100ms}. */
    public static String text(List<Limit> limits) {
        return limits.stream()
                .map(limit -> limit.toString().replace("<", " < "))
                .collect(Collectors.joining(" and "));
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
