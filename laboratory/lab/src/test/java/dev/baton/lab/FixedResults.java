package dev.baton.lab;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Place;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Explanation;
import dev.baton.lab.results.Findings;
import dev.baton.lab.results.Incident;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.Rate;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.TrialResult.Span;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.study.load.LoadFindings;
import dev.baton.lab.study.load.LoadStudy;
import dev.baton.lab.study.window.WindowStudy;
import dev.baton.lab.study.window.WindowStudy.WindowFindings;
import dev.baton.measuring.data.Histograms;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Machine;
import dev.baton.measuring.data.Memory;
import dev.baton.measuring.data.Percentile;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.measuring.data.TrialEnvironment;
import dev.baton.measuring.statistics.Percentiles;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Results with made-up figures, for tests of what is printed. */
public final class FixedResults {
    /** Of every result here. */
    public static final int P999_OVER_P50 = 5;

    private static final long SECOND = 1_000_000_000L;

    private FixedResults() {}

    public static TrialPlan plan(String transport, String threading, String idle) {
        return plan(Subject.BATON, transport, threading, idle);
    }

    public static TrialPlan plan(String engine, String transport, String threading, String idle) {
        return new TrialPlan(
                transport,
                new Subject(engine, transport, Map.of()),
                new Shape(5, 1, 0),
                new Load(1000, Load.Arrivals.EVEN, 1),
                new LoopPlan(threading, idle, 0),
                new Phases(10 * SECOND, 30 * SECOND, 10 * SECOND),
                List.of());
    }

    /** A trial that passed. */
    public static TrialResult passed(String transport, long p50Nanos) {
        return result(
                plan(transport, "cooperative:1", "default"),
                p50Nanos,
                new Delivery(40_000, 40_000, 0, 0, 0, 0, 0, 0, List.of(), 0),
                new Outcome(Verdict.PASS, List.of()));
    }

    /** A trial that lost two messages and saw one twice. */
    public static TrialResult failed(String transport) {
        List<Incident> incidents = List.of(
                new Incident(1, 12_345, Incident.Kind.LOST, "2 in a row, until 12346"),
                new Incident(1, 20_000, Incident.Kind.DUPLICATED, "arrived again after 20003"));
        return result(
                plan(transport, "cooperative:1", "default"),
                150_000,
                new Delivery(40_000, 39_998, 2, 0, 1, 0, 0, 0, incidents, 0),
                new Outcome(Verdict.FAIL, List.of("2 messages lost", "1 message duplicated")));
    }

    /** A trial at saturation. */
    public static TrialResult saturated(String transport, long p50Nanos) {
        TrialPlan plan = plan(transport, "cooperative:1", "default");
        return result(
                new TrialPlan(
                        plan.id(),
                        plan.subject(),
                        plan.shape(),
                        Load.saturating(1),
                        plan.loops(),
                        plan.phases(),
                        plan.limits()),
                p50Nanos,
                new Delivery(40_000, 40_000, 0, 0, 0, 0, 0, 0, List.of(), 0),
                new Outcome(Verdict.PASS, List.of()));
    }

    public static TrialResult result(TrialPlan plan, long p50Nanos, Delivery delivery, Outcome outcome) {
        List<Long> brokers = plan.subject().transport().equals("kafka") ? List.of(4711L) : List.of();
        return result(plan, new Place("/results", null, null, brokers, null, null, false), p50Nanos, delivery, outcome);
    }

    public static TrialResult result(TrialPlan plan, Place place, long p50Nanos, Delivery delivery, Outcome outcome) {
        boolean hasBroker = plan.subject().transport().equals("kafka");
        List<HostActivity.Stall> stalls = List.of(new HostActivity.Stall(SECOND, 12_300_000, HostActivity.Cause.BUSY));
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("durability", hasBroker ? "page cache of the broker" : "memory of this process only");
        facts.put("acknowledgement", "published");
        return new TrialResult(
                TrialResult.SCHEMA,
                plan,
                place,
                outcome,
                new TransportProperties(
                        plan.subject().transport(), List.of(hasBroker ? "crosses hosts" : "visible at once"), facts),
                new Span("2026-11-21T00:00:00Z", 5, 10 * SECOND, 30 * SECOND, 5, 5),
                plan.load().isNone() ? new Rate(0, 0, 1, 1, 1) : new Rate(1000, 1000, 1, 1, 1),
                delivery,
                plan.load().isNone() ? noLatency() : latency(p50Nanos),
                plan.load().isNone() ? noLatency() : latency(p50Nanos),
                plan.load().isNone() ? noLatency() : latency(1_200),
                List.of(),
                new Machine(
                        0.135, // with the instruments' 0.01
                        hasBroker ? 0.31 : null,
                        hasBroker ? 812.4 : 0.0,
                        0L,
                        0L,
                        0L,
                        0L,
                        0L,
                        0L,
                        100L,
                        new Memory(118L << 20, null, null),
                        hasBroker ? new Memory(450L << 20, null, null) : null,
                        new HostActivity(
                                0.004,
                                0.005,
                                0.6,
                                hasBroker ? 1.59 : 0.034,
                                null,
                                12_300_000,
                                hasBroker ? stalls : List.of()),
                        0.01,
                        null,
                        0.1,
                        List.of()),
                List.of(),
                new TrialEnvironment(
                        new TrialEnvironment.Jvm(
                                "Eclipse Adoptium", "25.0.3", List.of(), List.of("G1"), 256L << 20, Map.of()),
                        "Example CPU @ 3.00GHz",
                        2,
                        "Linux 6.1",
                        List.of("hypervisor flag"),
                        "tsc",
                        24,
                        24L << 30,
                        "ext4",
                        Map.of(),
                        null),
                plan.id() + ".hlog",
                findings(plan, p50Nanos),
                null,
                null,
                List.of());
    }

    /** What the plan's study would find. */
    private static Findings findings(TrialPlan plan, long p50Nanos) {
        if (plan.study() instanceof WindowStudy) {
            return new WindowFindings(latency(2_000_000), 30_000, 1, latency(1_000_000), latency(1_500_000), 7_340_032);
        }
        return plan.study() instanceof LoadStudy ? ofLoad(p50Nanos) : null;
    }

    /** What a closed loop finds. */
    private static LoadFindings ofLoad(long p50Nanos) {
        return new LoadFindings(
                List.of(new Percentile(10, p50Nanos / 2, 9_000, false, 0), new Percentile(50, p50Nanos, 50, true, 9)),
                List.of(new LoadFindings.Bar(1, p50Nanos, 9_000), new LoadFindings.Bar(p50Nanos + 1, 9_000_000, 1_000)),
                98L << 20,
                7L,
                0L,
                0.025,
                450_000_000L,
                null,
                "the rule",
                List.of(new LoadFindings.Interval(100_000_000, 12)),
                "source and sink of the chain");
    }

    /** The same with one instance in figures. */
    public static TrialResult withWorst(TrialResult result, int instance, long p999Nanos) {
        InstanceFigures worst =
                new InstanceFigures(instance, 120_000, p999Nanos / 5, p999Nanos / 2, p999Nanos, p999Nanos, 1, 0);
        return with(result, List.of(worst), result.findings(), result.explanation());
    }

    /** The same in a JVM that used so many cores. */
    public static TrialResult using(TrialResult result, double cores) {
        return with(result, cores, result.machine().host());
    }

    /** Returns the result with this share of its rate carried. */
    public static TrialResult carrying(TrialResult result, double share) {
        Rate rate = result.rate();
        return new TrialResult(
                result.schema(),
                result.plan(),
                result.place(),
                result.outcome(),
                result.transport(),
                result.span(),
                new Rate(rate.askedPerSecond(), share * rate.askedPerSecond(), share, share, 1),
                result.delivery(),
                result.response(),
                result.service(),
                result.sendDelay(),
                result.instances(),
                result.machine(),
                result.timeline(),
                result.environment(),
                result.hlog(),
                result.findings(),
                result.histograms(),
                result.explanation(),
                List.of());
    }

    /** The same with a stall that the trial had no part in. */
    public static TrialResult stalled(TrialResult result, long nanos) {
        HostActivity.Stall stall = new HostActivity.Stall(SECOND, nanos, HostActivity.Cause.OTHER_PROCESSES);
        HostActivity host = new HostActivity(0.0, 0.0, 0.2, 0.0, null, nanos, List.of(stall));
        return with(result, result.machine().jvmCpuCores(), host);
    }

    /** Returns the result beside other processes, which took this number of cores from it. */
    public static TrialResult crowded(TrialResult result, double othersCores, double takenCores) {
        HostActivity.RunQueue queue = new HostActivity.RunQueue(0.4, 2 * takenCores, takenCores);
        HostActivity host = new HostActivity(0.0, 0.0, 1.0, othersCores, queue, 0, List.of());
        return with(result, result.machine().jvmCpuCores(), host);
    }

    private static TrialResult with(TrialResult result, double cores, HostActivity host) {
        Machine machine = result.machine();
        Machine other = new Machine(
                cores,
                machine.brokerCpuCores(),
                machine.allocatedBytesPerMessage(),
                machine.gcCount(),
                machine.gcPauseNanos(),
                machine.gcWorstNanos(),
                machine.safepointNanos(),
                machine.safepointWorstNanos(),
                machine.timeToSafepointWorstNanos(),
                machine.contextSwitches(),
                machine.memory(),
                machine.brokerMemory(),
                host,
                0.0, // so that the chain has all of it
                machine.generator(),
                machine.programCpuCores(),
                machine.absent());
        return with(result, other, result.instances(), result.findings(), result.explanation());
    }

    /** The same with the findings of a study. */
    public static TrialResult with(TrialResult result, Findings findings) {
        return with(result, result.instances(), findings, result.explanation());
    }

    /** The same with so many responses, some of which took that long and all others a millisecond. */
    public static TrialResult responding(TrialResult result, long count, long slow, long slowNanos) {
        Histogram responses = new Histogram(3);
        responses.setAutoResize(true);
        responses.recordValueWithCount(1_000_000, count - slow);
        responses.recordValueWithCount(slowNanos, slow);
        return new TrialResult(
                result.schema(),
                result.plan(),
                result.place(),
                result.outcome(),
                result.transport(),
                result.span(),
                result.rate(),
                result.delivery(),
                Percentiles.of(responses, 0, 60 * SECOND, 30 * SECOND, 100),
                result.service(),
                result.sendDelay(),
                result.instances(),
                result.machine(),
                result.timeline(),
                result.environment(),
                result.hlog(),
                result.findings(),
                Histograms.of(responses, responses, responses),
                result.explanation(),
                List.of());
    }

    /** The same explained in another way. */
    public static TrialResult with(TrialResult result, Explanation explanation) {
        return with(result, result.instances(), result.findings(), explanation);
    }

    private static TrialResult with(
            TrialResult result, List<InstanceFigures> instances, Findings findings, Explanation explanation) {
        return with(result, result.machine(), instances, findings, explanation);
    }

    private static TrialResult with(
            TrialResult result,
            Machine machine,
            List<InstanceFigures> instances,
            Findings findings,
            Explanation explanation) {
        return new TrialResult(
                result.schema(),
                result.plan(),
                result.place(),
                result.outcome(),
                result.transport(),
                result.span(),
                result.rate(),
                result.delivery(),
                result.response(),
                result.service(),
                result.sendDelay(),
                instances,
                machine,
                result.timeline(),
                result.environment(),
                result.hlog(),
                findings,
                result.histograms(),
                explanation,
                List.of());
    }

    /** Nothing was recorded. */
    private static Latency noLatency() {
        return new Latency(
                0,
                null,
                null,
                latency(1).percentiles().stream()
                        .map(each -> new Percentile(each.percentile(), null, 0, true, 0))
                        .toList(),
                null,
                0,
                60 * SECOND);
    }

    private static Latency latency(long p50Nanos) {
        return new Latency(
                30_000,
                p50Nanos / 2,
                p50Nanos * 1.1,
                List.of(
                        new Percentile(50, p50Nanos, 15_000, false, 0),
                        new Percentile(90, p50Nanos * 2, 3_000, false, 0),
                        new Percentile(99, p50Nanos * 3, 300, false, 0),
                        new Percentile(99.9, p50Nanos * P999_OVER_P50, 30, true, 100 * SECOND),
                        new Percentile(99.99, p50Nanos * 8, 3, true, 1000 * SECOND)),
                p50Nanos * 10,
                0,
                60 * SECOND);
    }
}
