package dev.baton.measuring.machine;

import dev.baton.measuring.machine.Evidence.Stop;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The stops of all threads of a JVM within a window, on the clock of {@link System#nanoTime}. Immutable.
 *
 * @param gcPauses of garbage collections, in order, each named by the JVM's number of its collection
 * @param stops for any reason, collections included, in order
 * @param unreadable the first line that reports a pause or a stop and cannot be read; null for none
 */
record Pauses(List<Stop> gcPauses, List<Stop> stops, String unreadable) {
    /** HotSpot writes milliseconds with three decimals, and the decimal separator of the process's locale before them. */
    private static final Pattern PAUSE =
            Pattern.compile("\\[(\\d+)ns\\S*] GC\\((\\d+)\\) (?:[a-zA-Z]: )?Pause (?:.* )?(\\d+)\\D(\\d{3})ms$");

    private static final Pattern SAFEPOINT = Pattern.compile(
            "\\[(\\d+)ns\\S*] Safepoint \"(\\w+)\".*Reaching safepoint: +(\\d+) ns.*Total: +(\\d+) ns.*");
    /** Lines that one of the patterns must match. */
    private static final Pattern RELEVANT = Pattern.compile("GC\\(.*\\bPause\\b|\\bSafepoint \"");

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long NANOS_PER_MICRO = 1_000;

    /** Reads HotSpot's unified log of {@code gc}, {@code gc+phases} and {@code safepoint}, decorated with {@code tn}. */
    static Pauses parse(List<String> log, long startNanos, long endNanos) {
        List<Stop> gcPauses = new ArrayList<>();
        List<Stop> safepoints = new ArrayList<>();
        String unreadable = null;
        for (String line : log) {
            Matcher pause = PAUSE.matcher(line);
            Matcher safepoint = SAFEPOINT.matcher(line);
            if (pause.matches()) {
                long nanos = Long.parseLong(pause.group(3)) * NANOS_PER_MILLI
                        + Long.parseLong(pause.group(4)) * NANOS_PER_MICRO;
                gcPauses.add(endingAt(pause.group(1), pause.group(2), nanos, 0, nanos));
            } else if (safepoint.matches()) {
                long reaching = Long.parseLong(safepoint.group(3));
                long nanos = Long.parseLong(safepoint.group(4));
                safepoints.add(endingAt(safepoint.group(1), safepoint.group(2), nanos, reaching, 0));
            } else if (unreadable == null && RELEVANT.matcher(line).find()) {
                unreadable = line;
            }
        }
        gcPauses.removeIf(each -> !isWithin(each, startNanos, endNanos));
        safepoints.removeIf(each -> !isWithin(each, startNanos, endNanos));
        safepoints.replaceAll(each -> new Stop(
                each.operation(),
                each.startNanos(),
                each.nanos(),
                each.reachingNanos(),
                overlapNanos(gcPauses, each.startNanos(), each.endNanos())));
        return new Pauses(List.copyOf(gcPauses), List.copyOf(safepoints), unreadable);
    }

    /** Creates a stop from its end, as lines are written when a pause ends. */
    private static Stop endingAt(String endNanos, String what, long nanos, long reaching, long collection) {
        return new Stop(what, Long.parseLong(endNanos) - nanos, nanos, reaching, collection);
    }

    private static boolean isWithin(Stop stop, long fromNanos, long toNanos) {
        return stop.endNanos() - fromNanos >= 0 && stop.startNanos() - toNanos < 0;
    }

    /** The number of collections that paused the program. */
    long collections() {
        return gcPauses.stream().map(Stop::operation).distinct().count();
    }

    static long sum(List<Stop> stops) {
        return stops.stream().mapToLong(Stop::nanos).sum();
    }

    static long worst(List<Stop> stops, ToLongFunction<Stop> time) {
        return stops.stream().mapToLong(time).max().orElse(0);
    }

    /** {@return the part of an interval in which these stopped the JVM} */
    static long overlapNanos(List<Stop> stops, long startNanos, long endNanos) {
        return stops.stream()
                .mapToLong(each -> Math.max(
                        0,
                        Math.min(endNanos - startNanos, each.endNanos() - startNanos)
                                - Math.max(0, each.startNanos() - startNanos)))
                .sum();
    }
}
