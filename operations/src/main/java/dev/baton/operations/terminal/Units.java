package dev.baton.operations.terminal;

import java.time.Duration;
import java.util.Locale;

/** Figures as people read them: three significant digits, a unit, ASCII for any terminal. Stateless, thread-safe. */
public final class Units {
    private static final String[] TYPED = {"h", "m", "s", "ms", "us", "ns"};
    private static final long[] TYPED_NANOS = {3_600_000_000_000L, 60_000_000_000L, 1_000_000_000, 1_000_000, 1_000, 1};

    private Units() {}

    /** A measured time, such as {@code 812 ns}, {@code 14.3 us}, {@code 1.23 ms} or {@code 2.50 s}. */
    public static String time(long nanos) {
        return scaled(nanos, 1000, 999.5, "ns", "us", "ms", "s");
    }

    /** Returns the shortest notation of a time on the command line: {@code 30s}, {@code 50us}, {@code 2m}, {@code 90s}. */
    public static String typed(Duration duration) {
        long nanos = duration.toNanos();
        int unit = 0;
        while (nanos % TYPED_NANOS[unit] != 0) {
            unit++;
        }
        return nanos == 0 ? "0s" : nanos / TYPED_NANOS[unit] + TYPED[unit];
    }

    /** A duration as it is typed, rounded up to a second, or to a minute if it is longer than 10 minutes: {@code 100s}, {@code 17m}. */
    public static String typedUp(long nanos) {
        long seconds = (nanos + 999_999_999) / 1_000_000_000;
        return seconds <= 600 ? seconds + "s" : (seconds + 59) / 60 + "m";
    }

    /** A length of time for planning, rounded up to a round number: {@code 100 s}, {@code 17 min}, {@code 2.8 h}. */
    public static String span(Duration duration) {
        double seconds = duration.toNanos() / 1e9;
        if (seconds <= 120) {
            return (long) Math.ceil(seconds) + " s";
        }
        if (seconds <= 120 * 60) {
            return (long) Math.ceil(seconds / 60) + " min";
        }
        return String.format(Locale.ROOT, "%.1f h", Math.ceil(seconds / 360) / 10);
    }

    /** Minutes and seconds of a clock: {@code 0:07}, {@code 12:30}. */
    public static String clock(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        return String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60);
    }

    /** An amount of memory in binary units: {@code 812 B}, {@code 1.50 KiB}, {@code 118 MiB}. */
    public static String bytes(double bytes) {
        return scaled(bytes, 1024, 1000, "B", "KiB", "MiB", "GiB", "TiB");
    }

    private static String scaled(double amount, double step, double most, String... units) {
        double value = amount;
        int unit = 0;
        while (unit < units.length - 1 && Math.abs(value) >= most) {
            value /= step;
            unit++;
        }
        return (unit == 0 && value == Math.rint(value) ? Long.toString((long) value) : significant(value)) + " "
                + units[unit];
    }

    /** A count with its thousands apart: {@code 30,000}. */
    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** {@code 1 trial}, {@code 3 trials}. */
    public static String counted(long count, String what) {
        return count(count) + " " + what + (count == 1 ? "" : "s");
    }

    /** Messages per second in the notation of the command line: {@code 1,000}, {@code 0.5}. */
    public static String rate(double perSecond) {
        return perSecond == Math.rint(perSecond) ? count((long) perSecond) : Double.toString(perSecond);
    }

    /** A share of one core or of the time: {@code 0 %}, {@code 0.12 %}, {@code 12.3 %}, {@code 187 %}. */
    public static String percent(double share) {
        double percent = share * 100;
        return (percent == 0 ? "0" : significant(percent)) + " %";
    }

    /** Three digits: {@code 0.12}, {@code 12.3}, {@code 187}. */
    public static String significant(double value) {
        double size = Math.abs(value);
        String pattern = size >= 99.95 ? "%.0f" : size >= 9.995 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, pattern, value);
    }
}
