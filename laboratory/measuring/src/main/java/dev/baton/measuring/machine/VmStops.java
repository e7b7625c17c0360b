package dev.baton.measuring.machine;

import dev.baton.measuring.machine.Evidence.Stop;
import java.util.List;

/** Reads every stop of all threads, and what of it was a collection, from the JVM's log. Stateless, thread-safe. */
public final class VmStops {
    private VmStops() {}

    /** Of the lines that {@link VmLog} gives. */
    public static List<Stop> parse(List<String> log, long startNanos, long endNanos) {
        return of(Pauses.parse(log, startNanos, endNanos));
    }

    /** Of pauses that were read already. */
    static List<Stop> of(Pauses pauses) {
        return pauses.safepoints().stream()
                .map(each -> new Stop(
                        each.operation(),
                        each.span().startNanos(),
                        each.span().nanos(),
                        each.reachingNanos(),
                        collectionNanos(each.span(), pauses.gcPauses())))
                .toList();
    }

    private static long collectionNanos(Pauses.Span stop, List<Pauses.Span> collections) {
        return collections.stream()
                .mapToLong(each -> Math.max(
                        0,
                        Math.min(stop.nanos(), each.startNanos() + each.nanos() - stop.startNanos())
                                - Math.max(0, each.startNanos() - stop.startNanos())))
                .sum();
    }
}
