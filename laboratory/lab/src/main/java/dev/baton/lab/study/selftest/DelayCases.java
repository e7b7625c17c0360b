package dev.baton.lab.study.selftest;

import static dev.baton.lab.study.selftest.Prediction.Of.RESPONSE;
import static dev.baton.lab.study.selftest.Prediction.Of.SEND_DELAY;
import static dev.baton.lab.study.selftest.SelftestPlans.DELAYS;
import static dev.baton.lab.study.selftest.SelftestPlans.INSTANCES;
import static dev.baton.lab.study.selftest.SelftestPlans.INSTANCE_LIMIT;
import static dev.baton.lab.study.selftest.SelftestPlans.SLOW_INSTANCE;

import dev.baton.lab.request.SelftestCase;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Percentile;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** The cases in which messages are held back by known times. Stateless, thread-safe. */
final class DelayCases {
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99};
    private static final int ENOUGH = 100;
    private static final double NANOS = 1e9;

    private DelayCases() {}

    static List<Case> all() {
        String steps = "0.25, 2, 5, 20 ms";
        String one = "60 ms in 1 of 8";
        return List.of(
                Case.of(SelftestCase.DELAYS, DELAYS, steps, DelayCases::delays),
                Case.of(SelftestCase.MILLISECOND_CLOCK, DELAYS, "60 % take 0.25 ms", DelayCases::resolution),
                Case.of(SelftestCase.TOO_FEW_SAMPLES, DELAYS, "5,000 messages", DelayCases::samples),
                Case.of(SelftestCase.BURSTS, DELAYS, "2,000 msg/s", DelayCases::bursts),
                Case.of(SelftestCase.MERGE, DELAYS, steps, DelayCases::merge),
                Case.of(SelftestCase.AVERAGES, INSTANCES, one, DelayCases::averages),
                Case.of(SelftestCase.WORST_INSTANCE, INSTANCES, one, DelayCases::worst));
    }

    private static List<Check> delays(Evidence evidence) {
        Prediction response = Prediction.pooled(evidence, RESPONSE);
        Latency reported = evidence.result().response();
        List<Check> checks = new ArrayList<>();
        for (double percentile : PERCENTILES) {
            checks.add(Check.time(
                    name(percentile),
                    response.at(percentile),
                    reported.at(percentile).nanos()));
        }
        checks.add(Check.time("max", response.at(100), reported.maxNanos()));
        checks.add(Check.time(
                "service p99",
                Prediction.pooled(evidence, Prediction.Of.SERVICE).at(99),
                evidence.result().service().at(99).nanos()));
        return checks;
    }

    private static String name(double percentile) {
        return "p" + BigDecimal.valueOf(percentile).stripTrailingZeros().toPlainString();
    }

    private static List<Check> resolution(Evidence evidence) {
        Prediction response = Prediction.pooled(evidence, RESPONSE);
        Latency reported = evidence.result().response();
        return List.of(
                Check.count("values recorded", response.count(), reported.count()),
                Check.time("min", response.at(0), reported.minNanos()),
                Check.time("p50", response.at(50), reported.at(50).nanos()));
    }

    /** A percentile with fewer than 100 values above it is grey, and no verdict rests on it. */
    private static List<Check> samples(Evidence evidence) {
        int count = Prediction.pooled(evidence, RESPONSE).count();
        List<Check> checks = new ArrayList<>();
        for (double percentile : new double[] {99.9, 90, 99, 99.99}) {
            long above = Math.round(Math.floor(count * (100 - percentile) / 100 + 1e-6));
            Percentile reported = evidence.result().response().at(percentile);
            String expected = above + (above < ENOUGH ? " above: grey" : " above: shown");
            String found = reported.samplesAbove() + (reported.hasFewSamples() ? " above: grey" : " above: shown");
            checks.add(Check.fact(name(percentile), expected, found, expected.equals(found)));
        }
        long needed = Math.round(ENOUGH / 0.001 / evidence.plan().load().ratePerSecond() * NANOS);
        checks.add(Check.time(
                "run for p99.9",
                new Check.Range(needed - needed / 1000, needed, needed + needed / 1000),
                evidence.result().response().at(99.9).runForNanos()));
        checks.add(Check.words("verdict", "INCONCLUSIVE", evidence.verdict()));
        checks.add(Check.words("verdict", "p99.9<1s cannot be judged on 5 samples", evidence.verdict()));
        return checks;
    }

    /** A limiter that sleeps and catches up sends most of its messages one right behind the other. */
    private static List<Check> bursts(Evidence evidence) {
        Prediction sendDelay = Prediction.pooled(evidence, SEND_DELAY);
        return List.of(
                Check.count(
                        "sent too close",
                        0,
                        0,
                        Tolerance.pooled(evidence).displaced(),
                        evidence.witness().bunched()),
                Check.time(
                        "send delay p99",
                        sendDelay.at(99),
                        evidence.result().sendDelay().at(99).nanos()));
    }

    /** The intervals of the log together are the whole, to the last count. */
    private static List<Check> merge(Evidence evidence) {
        Latency reported = evidence.result().response();
        List<Check> checks = new ArrayList<>();
        checks.add(Check.time(
                "p99 merged",
                Prediction.pooled(evidence, RESPONSE).at(99),
                evidence.response().getValueAtPercentile(99)));
        checks.add(Check.count(
                "values merged", reported.count(), evidence.response().getTotalCount()));
        for (double percentile : PERCENTILES) {
            checks.add(Check.count(
                    name(percentile) + " merged, ns",
                    reported.at(percentile).nanos(),
                    evidence.response().getValueAtPercentile(percentile)));
        }
        return checks;
    }

    /** 0.5 % of all messages are slow: the p99.9 is slow. The average of eight p99.9 would be 9.25 ms. */
    private static List<Check> averages(Evidence evidence) {
        Prediction pooled = Prediction.pooled(evidence, RESPONSE);
        Latency reported = evidence.result().response();
        return List.of(
                Check.time("p99.9 of all", pooled.at(99.9), reported.at(99.9).nanos()),
                Check.time("p99 of all", pooled.at(99), reported.at(99).nanos()));
    }

    private static List<Check> worst(Evidence evidence) {
        Prediction own = Prediction.of(evidence, SLOW_INSTANCE);
        InstanceFigures figures = evidence.instance(SLOW_INSTANCE);
        Long pooled = evidence.result().response().at(99).nanos();
        String name = "instance " + (SLOW_INSTANCE + 1);
        return List.of(
                Check.time(name + " p99", own.coarseAt(99), figures == null ? null : figures.p99Nanos()),
                Check.words("verdict", name + " broke p99<40ms", evidence.verdict()),
                Check.words("verdict", "FAIL", evidence.verdict()),
                Check.fact(
                        "p99 of all",
                        "under 40 ms",
                        pooled == null ? "none" : pooled / 1_000 + " us",
                        pooled != null && pooled < INSTANCE_LIMIT));
    }
}
