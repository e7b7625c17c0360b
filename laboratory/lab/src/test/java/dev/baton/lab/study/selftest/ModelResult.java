package dev.baton.lab.study.selftest;

import dev.baton.lab.launch.ProcessStop;
import dev.baton.lab.request.Place;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Explanation;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.Rate;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.TrialResult.Span;
import dev.baton.lab.trial.FinalCounts;
import dev.baton.lab.trial.Judge;
import dev.baton.measuring.InstanceHistogram;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Machine;
import dev.baton.measuring.data.Percentile;
import dev.baton.measuring.data.Tail;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.measuring.statistics.Percentiles;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Puts what a model trial found into the records of every trial, and has every trial's judge decide. */
final class ModelResult {
    private final ModelTrial trial;
    private final TrialPlan plan;

    ModelResult(ModelTrial trial) {
        this.trial = trial;
        plan = trial.plan;
    }

    TrialEvidence evidence() {
        long stop = ((SelftestStudy) plan.study()).stopNanos();
        Histogram logged = trial.all.response().copy();
        if (trial.flaw == Flaw.INTERVAL_LOST) {
            logged.reset();
        }
        return new TrialEvidence(
                plan, result(stop), logged, trial.all.service(), trial.all.sendDelay(), new ProcessStop(stop, stop));
    }

    private TrialResult result(long stop) {
        HostActivity host = new HostActivity(
                0.0,
                0.0,
                0.2,
                0.0,
                new HostActivity.RunQueue(0.4, 0, 0),
                stop,
                stop == 0 || trial.flaw == Flaw.HOST_UNSEEN
                        ? List.of()
                        : List.of(new HostActivity.Stall(
                                2 * stop,
                                stop,
                                trial.flaw == Flaw.STOP_CALLED_HOST
                                        ? HostActivity.Cause.HOST
                                        : HostActivity.Cause.STOPPED)));
        Delivery delivery = new Delivery(
                trial.sent,
                trial.delivered,
                trial.lost,
                trial.undrained,
                trial.duplicated,
                trial.reordered,
                trial.corrupted,
                trial.unsent,
                trial.incidents,
                0);
        double seconds = plan.phases().measureNanos() / 1e9;
        Rate rate = new Rate(
                trial.due / seconds,
                trial.inTime / seconds,
                trial.inTime / (double) trial.due,
                trial.worstShare,
                trial.worstInstance);
        return new TrialResult(
                TrialResult.SCHEMA,
                plan,
                new Place("", null, null, null, null, null, false),
                outcome(delivery, rate, host),
                new TransportProperties("selftest", List.of(), Map.of()),
                new Span("2026-11-21T00:00:00Z", 1, 1, plan.phases().measureNanos(), 1, 1),
                rate,
                delivery,
                response(),
                latency(trial.all.service()),
                latency(trial.all.sendDelay()),
                figures(),
                new Machine(
                        null, null, null, 0L, null, null, null, null, null, null, null, null, host, null, null, null,
                        List.of()),
                List.of(),
                null,
                null,
                findings(stop),
                null,
                explanation(),
                List.of());
    }

    /** Senders sleep in a stall of the generator, and nothing else delays them. */
    private static Explanation explanation() {
        Tail.Share asleep = new Tail.Share(Tail.Cause.GENERATOR_PARKED, 1, 1);
        return new Explanation(List.of(), 0, new Tail(99.9, 0, 1, 1, List.of(asleep)), List.of());
    }

    /** On a machine that loses no time but what it was told to. */
    private SelftestFindings findings(long stop) {
        int instances = plan.shape().instances();
        return new SelftestFindings(
                trial.pid,
                trial.sent,
                trial.delivered + trial.duplicated,
                trial.bunched,
                Collections.nCopies(instances, stop),
                Collections.nCopies(instances, 0L),
                List.of());
    }

    private Outcome outcome(Delivery delivery, Rate rate, HostActivity host) {
        List<InstanceHistogram> judged = trial.instances;
        if (trial.flaw == Flaw.POOLED_VERDICT) {
            InstanceHistogram pool = new InstanceHistogram(trial.all.highestNanos());
            trial.all.response().recordedValues().forEach(each -> {
                for (long i = 0; i < each.getCountAddedInThisIterationStep(); i++) {
                    pool.record(each.getValueIteratedTo());
                }
            });
            judged = List.of(pool);
        }
        Judge judge = new Judge(
                plan.limits(),
                plan.phases().measureNanos(),
                plan.phases().drainNanos(),
                plan.loops().isCooperative(),
                trial.flaw == Flaw.THEFT_UNSEEN || trial.flaw == Flaw.NEIGHBOURS_UNSEEN
                        ? host
                        : SelftestWorkload.robbed((SelftestStudy) plan.study(), host));
        if (plan.load().isReadFromSend() || trial.flaw == Flaw.JUDGED_FROM_SEND) {
            judge.fromSend();
        }
        return judge.decide(null, null, new FinalCounts(delivery, rate, List.of()), judged, trial.all.sendDelay());
    }

    private Latency latency(Histogram histogram) {
        return Percentiles.of(
                histogram,
                0,
                trial.all.highestNanos(),
                plan.phases().measureNanos(),
                plan.load().ratePerSecond() * plan.shape().instances());
    }

    private Latency response() {
        Latency honest = latency(trial.all.response());
        return switch (trial.flaw == null ? Flaw.STALE : trial.flaw) {
            case AVERAGED ->
                with(honest, honest.percentiles().stream().map(this::averaged).toList());
            case QUOTED_EARLY ->
                with(
                        honest,
                        honest.percentiles().stream()
                                .map(each ->
                                        new Percentile(each.percentile(), each.nanos(), each.samplesAbove(), false, 0))
                                .toList());
            default -> honest;
        };
    }

    private Percentile averaged(Percentile each) {
        double mean = trial.exact.stream()
                .mapToLong(histogram -> histogram.getValueAtPercentile(each.percentile()))
                .average()
                .orElseThrow();
        return new Percentile(
                each.percentile(), (long) mean, each.samplesAbove(), each.hasFewSamples(), each.runForNanos());
    }

    private static Latency with(Latency honest, List<Percentile> percentiles) {
        return new Latency(
                honest.count(),
                honest.minNanos(),
                honest.meanNanos(),
                percentiles,
                honest.maxNanos(),
                honest.clamped(),
                honest.highestNanos());
    }

    private List<InstanceFigures> figures() {
        List<InstanceFigures> figures = new ArrayList<>();
        for (int i = 0; i < trial.instances.size(); i++) {
            InstanceHistogram each = trial.instances.get(i);
            figures.add(new InstanceFigures(
                    i + 1,
                    each.count(),
                    each.percentileNanos(50),
                    each.percentileNanos(99),
                    each.percentileNanos(99.9),
                    each.maxNanos(),
                    trial.sentBy.get(i),
                    trial.faultsOf.get(i)));
        }
        return figures;
    }
}
