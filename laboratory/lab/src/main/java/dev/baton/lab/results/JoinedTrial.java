package dev.baton.lab.results;

import dev.baton.lab.request.TrialPlan;
import dev.baton.measuring.data.GeneratorUse;
import dev.baton.measuring.data.Histograms;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Machine;
import dev.baton.measuring.data.Memory;
import dev.baton.measuring.statistics.Percentiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * One result of the results of several processes that shared a trial. Counts, rates and what the JVMs used are added up,
 * percentiles come from the added intervals of all processes, and the verdict is the worst of theirs. The time line and
 * the intervals stay with the processes. Stateless, thread-safe.
 */
public final class JoinedTrial {
    private static final int MOST_INSTANCES = 20;

    /** The verdicts from the best to the worst. */
    private static final List<Verdict> BADNESS =
            List.of(Verdict.PASS, Verdict.INCONCLUSIVE, Verdict.INTERRUPTED, Verdict.FAIL);

    private JoinedTrial() {}

    /**
     * Joins results.
     *
     * @param whole the plan of all instances
     * @param parts of its processes, in the order of their instances; at least one
     * @param folder with their files
     * @throws IOException when the intervals of one cannot be read
     */
    public static TrialResult of(TrialPlan whole, List<TrialResult> parts, ResultFolder folder) throws IOException {
        TrialResult first = parts.get(0);
        Histogram response = merged(parts, TrialResult::response, null, folder);
        Histogram service = merged(parts, TrialResult::service, IntervalLog.SERVICE, folder);
        Histogram sendDelay = merged(parts, TrialResult::sendDelay, IntervalLog.SEND_DELAY, folder);
        return new TrialResult(
                TrialResult.SCHEMA,
                whole.redacted(),
                first.place(),
                outcome(parts),
                first.transport(),
                span(parts),
                rate(parts),
                delivery(parts),
                latency(parts, TrialResult::response, response),
                latency(parts, TrialResult::service, service),
                latency(parts, TrialResult::sendDelay, sendDelay),
                instances(parts),
                machine(parts),
                List.of(),
                first.environment(),
                null,
                null,
                Histograms.of(response, service, sendDelay),
                null,
                List.of());
    }

    private static Outcome outcome(List<TrialResult> parts) {
        Verdict worst = parts.stream()
                .map(part -> part.outcome().verdict())
                .max(Comparator.comparingInt(BADNESS::indexOf))
                .orElseThrow();
        List<String> reasons = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).outcome().verdict() == worst) {
                for (String reason : parts.get(i).outcome().reasons()) {
                    reasons.add("process " + (i + 1) + ": " + reason);
                }
            }
        }
        boolean blamesHost =
                parts.stream().map(TrialResult::outcome).anyMatch(each -> each.verdict() == worst && each.blamesHost());
        return new Outcome(worst, reasons, blamesHost);
    }

    private static TrialResult.Span span(List<TrialResult> parts) {
        return new TrialResult.Span(
                parts.stream()
                        .map(part -> part.span().startedAt())
                        .min(Comparator.naturalOrder())
                        .orElseThrow(),
                most(parts, part -> part.span().openNanos()),
                most(parts, part -> part.span().warmupNanos()),
                most(parts, part -> part.span().measureNanos()),
                most(parts, part -> part.span().drainNanos()),
                most(parts, part -> part.span().closeNanos()));
    }

    private static Rate rate(List<TrialResult> parts) {
        double asked =
                parts.stream().mapToDouble(part -> part.rate().askedPerSecond()).sum();
        double achieved = parts.stream()
                .mapToDouble(part -> part.rate().achievedPerSecond())
                .sum();
        double worstShare = Double.MAX_VALUE;
        int worstInstance = 0;
        int before = 0;
        for (TrialResult part : parts) {
            if (part.rate().worstShare() < worstShare) {
                worstShare = part.rate().worstShare();
                worstInstance = before + part.rate().worstInstance();
            }
            before += part.plan().shape().instances();
        }
        return new Rate(asked, achieved, asked == 0 ? 1 : achieved / asked, worstShare, worstInstance)
                .with(writingNanos(parts))
                .with(Rate.Backlog.slowest(parts.stream()
                        .map(part -> part.rate().backlog())
                        .filter(Objects::nonNull)
                        .toList()));
    }

    private static Double writingNanos(List<TrialResult> parts) {
        double mean = parts.stream()
                .map(part -> part.rate().writingNanos())
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .average()
                .orElse(Double.NaN);
        return Double.isNaN(mean) ? null : Double.valueOf(mean);
    }

    private static Delivery delivery(List<TrialResult> parts) {
        List<Incident> incidents = new ArrayList<>();
        int before = 0;
        for (TrialResult part : parts) {
            for (Incident each : part.delivery().incidents()) {
                incidents.add(new Incident(before + each.instance(), each.sequence(), each.kind(), each.detail()));
            }
            before += part.plan().shape().instances();
        }
        return Delivery.sum(parts.stream().map(TrialResult::delivery).toList(), incidents.stream());
    }

    private static Latency latency(List<TrialResult> parts, Function<TrialResult, Latency> kind, Histogram merged) {
        double rate = 0;
        long backlog = 0;
        for (TrialResult part : parts) {
            backlog += (long) part.plan().load().backlog() * part.plan().shape().instances();
            rate += part.plan().load().ratePerSecond() * part.plan().shape().instances();
        }
        return Percentiles.of(
                merged,
                sum(parts, part -> kind.apply(part).clamped()),
                most(parts, part -> kind.apply(part).highestNanos()),
                most(parts, part -> part.span().measureNanos()),
                rate,
                backlog);
    }

    private static Histogram merged(
            List<TrialResult> parts, Function<TrialResult, Latency> kind, String tag, ResultFolder folder)
            throws IOException {
        long highest = most(parts, part -> kind.apply(part).highestNanos());
        Histogram all = new Histogram(1, Math.max(2, highest), 3);
        for (TrialResult part : parts) {
            if (part.hlog() != null) {
                IntervalLog.addTo(all, folder.path().resolve(part.hlog()), tag);
            }
        }
        return all;
    }

    private static List<InstanceFigures> instances(List<TrialResult> parts) {
        List<InstanceFigures> all = new ArrayList<>();
        int before = 0;
        for (TrialResult part : parts) {
            for (InstanceFigures each : part.instances()) {
                all.add(new InstanceFigures(
                        before + each.instance(),
                        each.count(),
                        each.p50Nanos(),
                        each.p99Nanos(),
                        each.p999Nanos(),
                        each.maxNanos(),
                        each.sent(),
                        each.faults()));
            }
            before += part.plan().shape().instances();
        }
        all.sort(InstanceFigures.WORST_FIRST);
        return all.subList(0, Math.min(MOST_INSTANCES, all.size()));
    }

    private static Machine machine(List<TrialResult> parts) {
        List<Machine> all = parts.stream()
                .map(TrialResult::machine)
                .filter(Objects::nonNull)
                .toList();
        if (all.size() < parts.size()) {
            return null; // one of them did not come to measure
        }
        return new Machine(
                joined(all, Machine::jvmCpuCores, Double::sum),
                all.get(0).brokerCpuCores(), // the same broker is watched by all
                allocated(parts),
                joined(all, Machine::gcCount, Long::sum),
                joined(all, Machine::gcPauseNanos, Long::sum),
                mostOf(all, Machine::gcWorstNanos),
                joined(all, Machine::safepointNanos, Long::sum),
                mostOf(all, Machine::safepointWorstNanos),
                mostOf(all, Machine::timeToSafepointWorstNanos),
                joined(all, Machine::contextSwitches, Long::sum),
                memory(all),
                all.get(0).brokerMemory(),
                all.stream()
                        .map(Machine::host)
                        .filter(Objects::nonNull)
                        .max(Comparator.comparingLong(HostActivity::worstStallNanos))
                        .orElse(null),
                joined(all, Machine::observersCpuCores, Double::sum),
                generator(all),
                joined(all, Machine::programCpuCores, Double::sum),
                all.stream().flatMap(each -> each.absent().stream()).distinct().toList());
    }

    /** The CPU time of all, and the worst delay; null where generators share loops. */
    private static GeneratorUse generator(List<Machine> all) {
        List<GeneratorUse> each = all.stream().map(Machine::generator).toList();
        if (each.stream().anyMatch(Objects::isNull)) {
            return null;
        }
        return new GeneratorUse(
                each.stream().mapToDouble(GeneratorUse::cpuCores).sum(),
                joined(each, GeneratorUse::runQueueShare, Math::max));
    }

    /** Returns the bytes per message of all parts; null when one part does not report them. */
    private static Double allocated(List<TrialResult> parts) {
        double bytes = 0;
        double messages = 0;
        for (TrialResult part : parts) {
            if (part.machine().allocatedBytesPerMessage() == null) {
                return null;
            }
            bytes += part.machine().allocatedBytesPerMessage() * part.rate().achievedPerSecond();
            messages += part.rate().achievedPerSecond();
        }
        return messages == 0 ? null : Double.valueOf(bytes / messages);
    }

    /** Pages that processes share are counted in each. */
    private static Memory memory(List<Machine> all) {
        List<Memory> each = all.stream().map(Machine::memory).toList();
        if (each.stream().anyMatch(Objects::isNull)) {
            return null;
        }
        return new Memory(
                each.stream().mapToLong(Memory::residentBytes).sum(),
                joined(each, Memory::anonymousBytes, Long::sum),
                joined(each, Memory::fileBytes, Long::sum));
    }

    private static long sum(List<TrialResult> parts, ToLongFunction<TrialResult> figure) {
        return parts.stream().mapToLong(figure).sum();
    }

    private static long most(List<TrialResult> parts, ToLongFunction<TrialResult> figure) {
        return parts.stream().mapToLong(figure).max().orElse(0);
    }

    /** Joins a figure of all processes; null when one does not report it. */
    private static <T, N> N joined(List<T> all, Function<T, N> figure, BinaryOperator<N> join) {
        List<N> figures = all.stream().map(figure).filter(Objects::nonNull).toList();
        return figures.size() < all.size()
                ? null
                : figures.stream().reduce(join).orElse(null);
    }

    private static <T> Long mostOf(List<T> all, Function<T, Long> figure) {
        Stream<Long> known = all.stream().map(figure).filter(Objects::nonNull);
        return known.max(Comparator.naturalOrder()).orElse(null);
    }
}
