package dev.baton.lab.study.jitter;

import dev.baton.lab.study.jitter.JitterFindings.Cause;
import dev.baton.lab.study.jitter.JitterFindings.Event;
import dev.baton.lab.study.jitter.JitterFindings.Stops;
import dev.baton.lab.study.jitter.JitterFindings.Tally;
import dev.baton.lab.study.jitter.WorstEvents.Kept;
import dev.baton.measuring.machine.CoreWatch;
import dev.baton.measuring.machine.Evidence;
import dev.baton.measuring.machine.Evidence.Stop;
import dev.baton.measuring.machine.VmFlag;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Joins events with what was going on at the time. The cause is the first clue that explains half of an event; when none
 * does it stays unknown, and what comes closest is named. Pure, but for {@link #findings}, which asks the JVM for its
 * flag. Stateless, thread-safe.
 */
final class Attribution {
    private Attribution() {}

    /** Determines the cause of one event, with the evidence. @param all events, including this one */
    static Event event(Kept kept, List<Kept> all, Evidence evidence, long measureNanos) {
        List<CauseSearch.Share> shares = CauseSearch.to(kept, all, evidence);
        CauseSearch.Share strong = shares.stream()
                .filter(share -> 2 * share.nanos() >= kept.nanos())
                .findFirst()
                .orElse(null);
        return new Event(
                kept.slotNanos() - measureNanos,
                kept.nanos(),
                kept.sendDelayNanos(),
                kept.messages(),
                strong == null ? Cause.UNKNOWN : strong.cause(),
                strong == null ? closest(shares) : strong.text());
    }

    private static String closest(List<CauseSearch.Share> shares) {
        return shares.stream()
                .max(Comparator.comparingLong(CauseSearch.Share::nanos))
                .map(share -> share.nanos() == 0
                        ? "nothing explains half of it"
                        : "nothing explains half of it; the largest known share, " + CauseSearch.millis(share.nanos())
                                + ": " + share.text())
                .orElse("no source reported anything");
    }

    /** Returns all findings of a trial. @param worst longest first @param shown events to list */
    static JitterFindings findings(List<Kept> worst, Evidence evidence, long measureNanos, long endNanos, int shown) {
        VmFlag interval = VmFlag.named(SafepointInterval.FLAG);
        List<Event> events = worst.stream()
                .map(each -> event(each, worst, evidence, measureNanos))
                .toList();
        return new JitterFindings(
                interval == null ? null : Long.valueOf(interval.value()),
                interval == null || interval.isDefault(),
                events.subList(0, Math.min(shown, events.size())),
                tallies(events),
                events.size(),
                events.isEmpty() ? null : events.get(events.size() - 1).nanos(),
                stops(evidence.stops().stream()
                        .filter(stop -> stop.endNanos() - measureNanos > 0 && stop.startNanos() - endNanos < 0)
                        .toList()),
                evidence.compilations().stream()
                        .filter(each -> each.atNanos() - measureNanos >= 0 && each.atNanos() - endNanos < 0)
                        .count(),
                evidence.cores(),
                evidence.cpuCores(),
                CoreWatch.PERIOD_NANOS,
                evidence.absent());
    }

    static List<Tally> tallies(List<Event> events) {
        Map<Cause, Tally> tallies = new EnumMap<>(Cause.class);
        events.forEach(event -> tallies.merge(
                event.cause(),
                new Tally(event.cause(), 1, event.nanos()),
                (one, other) -> new Tally(one.cause(), one.events() + 1, one.nanos() + other.nanos())));
        return tallies.values().stream()
                .sorted(Comparator.comparingLong(Tally::nanos).reversed())
                .toList();
    }

    static List<Stops> stops(List<Stop> all) {
        return all.stream()
                .collect(Collectors.groupingBy(Stop::operation, TreeMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .map(each -> stops(each.getKey(), each.getValue()))
                .sorted(Comparator.comparingLong(Stops::nanos).reversed())
                .toList();
    }

    private static Stops stops(String operation, List<Stop> own) {
        LongSummaryStatistics nanos = own.stream().mapToLong(Stop::nanos).summaryStatistics();
        long reachingWorst = own.stream().mapToLong(Stop::reachingNanos).max().orElse(0);
        return new Stops(operation, nanos.getCount(), nanos.getSum(), nanos.getMax(), reachingWorst);
    }
}
