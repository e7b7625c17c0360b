package dev.baton.measuring.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What stopped all threads of a JVM within a window, on the clock of {@link System#nanoTime}. Immutable.
 *
 * @param collections that paused it
 * @param gcPauses of those collections, in order
 * @param safepoints for any reason, collections included, in order
 */
record Pauses(long collections, List<Span> gcPauses, List<Safepoint> safepoints) {
    private static final Pattern PAUSE =
            Pattern.compile("\\[(\\d+)ns\\S*] GC\\((\\d+)\\) (?:[a-zA-Z]: )?Pause .*?(\\d+\\.\\d+)ms$");
    private static final Pattern SAFEPOINT = Pattern.compile(
            "\\[(\\d+)ns\\S*] Safepoint \"(\\w+)\".*Reaching safepoint: +(\\d+) ns.*Total: +(\\d+) ns.*");
    private static final double NANOS_PER_MILLI = 1e6;

    /** A stretch of time. */
    record Span(long startNanos, long nanos) {
        private boolean isWithin(long fromNanos, long toNanos) {
            return startNanos + nanos - fromNanos >= 0 && startNanos - toNanos < 0;
        }
    }

    /**
     * One stop of all threads.
     *
     * @param span from the request to the last thread's release
     * @param reachingNanos time to safepoint: until the last thread had stopped
     */
    record Safepoint(String operation, Span span, long reachingNanos) {}

    /** Reads HotSpot's unified log of {@code gc}, {@code gc+phases} and {@code safepoint}, decorated with {@code tn}. */
    static Pauses parse(List<String> log, long startNanos, long endNanos) {
        List<Span> gcPauses = new ArrayList<>();
        List<Safepoint> safepoints = new ArrayList<>();
        List<String> collections = new ArrayList<>();
        for (String line : log) {
            Matcher pause = PAUSE.matcher(line);
            if (pause.matches()) {
                Span span = endingAt(pause.group(1), Math.round(Double.parseDouble(pause.group(3)) * NANOS_PER_MILLI));
                if (span.isWithin(startNanos, endNanos)) {
                    gcPauses.add(span);
                    collections.add(pause.group(2));
                }
                continue;
            }
            Matcher safepoint = SAFEPOINT.matcher(line);
            if (safepoint.matches()) {
                Span span = endingAt(safepoint.group(1), Long.parseLong(safepoint.group(4)));
                if (span.isWithin(startNanos, endNanos)) {
                    safepoints.add(new Safepoint(safepoint.group(2), span, Long.parseLong(safepoint.group(3))));
                }
            }
        }
        return new Pauses(collections.stream().distinct().count(), List.copyOf(gcPauses), List.copyOf(safepoints));
    }

    /** Lines are written when the pause is over. */
    private static Span endingAt(String endNanos, long nanos) {
        return new Span(Long.parseLong(endNanos) - nanos, nanos);
    }

    long gcNanos() {
        return gcPauses.stream().mapToLong(Span::nanos).sum();
    }

    long worstGcNanos() {
        return gcPauses.stream().mapToLong(Span::nanos).max().orElse(0);
    }

    long safepointNanos() {
        return safepoints.stream().mapToLong(each -> each.span().nanos()).sum();
    }

    long worstSafepointNanos() {
        return safepoints.stream().mapToLong(each -> each.span().nanos()).max().orElse(0);
    }

    long worstTimeToSafepointNanos() {
        return safepoints.stream().mapToLong(Safepoint::reachingNanos).max().orElse(0);
    }

    /** How much of a stretch of time the JVM was stopped. */
    long overlapNanos(long startNanos, long endNanos) {
        return safepoints.stream()
                .map(Safepoint::span)
                .mapToLong(span -> Math.max(
                        0,
                        Math.min(endNanos - startNanos, span.startNanos + span.nanos - startNanos)
                                - Math.max(0, span.startNanos - startNanos)))
                .sum();
    }
}
