package dev.baton.lab.doctor;

import java.util.Locale;

/**
 * Figures in the words of findings: three significant digits and a unit. The package that prints reports has the like,
 * but stands above this one. Stateless, thread-safe.
 */
final class Figures {
    private static final String[] TIMES = {"ns", "us", "ms", "s"};
    private static final String[] SIZES = {"B", "KiB", "MiB", "GiB", "TiB"};

    private Figures() {}

    static String time(double nanos) {
        return scaled(nanos, 1000, TIMES);
    }

    static String bytes(double bytes) {
        return scaled(bytes, 1024, SIZES);
    }

    static String percent(double share) {
        return (share == 0 ? "0" : significant(share * 100)) + " %";
    }

    static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    static String decimal(double value) {
        return significant(value);
    }

    private static String scaled(double value, double step, String[] units) {
        int unit = 0;
        double left = value;
        while (unit < units.length - 1 && left >= 999.5) {
            left /= step;
            unit++;
        }
        return (left == Math.rint(left) && left < 1000 ? Long.toString((long) left) : significant(left)) + " "
                + units[unit];
    }

    private static String significant(double value) {
        String pattern = value >= 99.95 ? "%.0f" : value >= 9.995 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, pattern, value);
    }
}
