package dev.baton.lab.study.selftest;

import static dev.baton.lab.study.selftest.SelftestPlans.BUILDS;
import static dev.baton.lab.study.selftest.SelftestPlans.DELAYS;
import static dev.baton.lab.study.selftest.SelftestPlans.INSTANCES;
import static dev.baton.lab.study.selftest.SelftestPlans.INSTANCE_LIMIT;
import static dev.baton.lab.study.selftest.SelftestPlans.SLOW_INSTANCE;
import static dev.baton.lab.study.selftest.SelftestPlans.STALLS;
import static dev.baton.lab.study.selftest.SelftestPlans.STALL_LIMIT;

import dev.baton.lab.request.SelftestCase;
import dev.baton.lab.study.comparison.Difference;
import dev.baton.lab.study.comparison.Sample;
import dev.baton.lab.study.comparison.Statistics;
import dev.baton.lab.study.selftest.Prediction.Of;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Percentile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The cases in which a thread is stalled, or messages are delayed by known times, in one of two builds by a fifth more. Stateless,
 * thread-safe.
 */
final class LatencyCases {
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99};
    private static final int ENOUGH = 100;
    private static final double NANOS = 1e9;
    private static final String LIMIT = "over 50 ms";
    private static final double BUILD_NANOS = 10e6;
    private static final double SLOWER_NANOS = 12e6;

    private LatencyCases() {}

    static List<Case> all() {
        String steps = "0.25, 2, 5, 20 ms";
        String one = "60 ms in 1 of 8";
        return List.of(
                Case.of(SelftestCase.OMISSION, STALLS, "200 ms in 3 s", LatencyCases::omission),
                Case.of(SelftestCase.GENERATOR_STALL, STALLS, "200 ms in 3 s", e -> stall(e, 0, Of.SEND_DELAY)),
                Case.of(SelftestCase.SERVICE_STALL, STALLS, "160 ms in 3 s", e -> stall(e, 1, Of.SERVICE)),
                Case.of(SelftestCase.RECEIVER_STALL, STALLS, "130 ms in 3 s", e -> stall(e, 2, Of.SERVICE)),
                Case.of(SelftestCase.STALL_ARITHMETIC, STALLS, "490 ms in 9 s", LatencyCases::arithmetic),
                Case.of(SelftestCase.DELAYS, DELAYS, steps, LatencyCases::delays),
                Case.of(SelftestCase.MILLISECOND_CLOCK, DELAYS, "60 % take 0.25 ms", LatencyCases::resolution),
                Case.of(SelftestCase.TOO_FEW_SAMPLES, DELAYS, "5,000 messages", LatencyCases::samples),
                Case.of(SelftestCase.BURSTS, DELAYS, "2,000 msg/s", LatencyCases::bursts),
                Case.of(SelftestCase.MERGE, DELAYS, steps, LatencyCases::merge),
                Case.of(SelftestCase.AVERAGES, INSTANCES, one, LatencyCases::averages),
                Case.of(SelftestCase.WORST_INSTANCE, INSTANCES, one, LatencyCases::worst),
                new Case(SelftestCase.COMPARISON, BUILDS, "10 ms, then 12 ms", LatencyCases::comparison));
    }

    /** Checks that every slot during the generator's sleep keeps its time; a generator that starts again would count only one. */
    private static List<Check> omission(TrialEvidence evidence) {
        Prediction sendDelay = Prediction.pooled(evidence, Of.SEND_DELAY);
        long recorded = evidence.sendDelay().getTotalCount();
        long sent = evidence.result().delivery().sent();
        return List.of(
                sendDelay.above("send delay > 50 ms", STALL_LIMIT),
                Check.count("slots measured", sendDelay.count(), recorded),
                Check.count("messages sent", evidence.witness().sent(), sent),
                sendDelay.time("send delay max", 100));
    }

    static List<Check> stall(TrialEvidence evidence, int instance, Of kind) {
        Prediction own = Prediction.of(evidence, instance);
        Prediction part = Prediction.pooled(evidence, kind);
        String name = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return List.of(
                own.time(99),
                own.time(99.9),
                own.time(100),
                part.above(name + " " + LIMIT, STALL_LIMIT),
                part.time(name + " p99.9 of all", 99.9));
    }

    private static List<Check> arithmetic(TrialEvidence evidence) {
        Prediction response = Prediction.pooled(evidence, Of.RESPONSE);
        return List.of(
                response.above(LIMIT, STALL_LIMIT),
                response.time(99),
                response.time(99.9),
                evidence.says("instance 1 broke p99<50ms"),
                evidence.says("instance 2 broke p99<50ms"),
                evidence.says("instance 3 broke p99<50ms"),
                evidence.says("FAIL"));
    }

    private static List<Check> delays(TrialEvidence evidence) {
        Prediction response = Prediction.pooled(evidence, Of.RESPONSE);
        List<Check> checks = new ArrayList<>();
        for (double percentile : PERCENTILES) {
            checks.add(response.time(percentile));
        }
        checks.add(response.time(100));
        checks.add(Prediction.pooled(evidence, Of.SERVICE).time("service p99", 99));
        return checks;
    }

    private static List<Check> resolution(TrialEvidence evidence) {
        Prediction response = Prediction.pooled(evidence, Of.RESPONSE);
        long recorded = evidence.result().response().count();
        return List.of(Check.count("values recorded", response.count(), recorded), response.time(0), response.time(50));
    }

    /** A percentile with fewer than 100 values above it is grey, and no verdict rests on it. */
    private static List<Check> samples(TrialEvidence evidence) {
        int count = Prediction.pooled(evidence, Of.RESPONSE).count();
        List<Check> checks = new ArrayList<>();
        for (double percentile : new double[] {99.9, 90, 99, 99.99}) {
            long above = Math.round(Math.floor(count * (100 - percentile) / 100 + 1e-6));
            Percentile reported = evidence.result().response().at(percentile);
            String expected = above + (above < ENOUGH ? " above: grey" : " above: shown");
            String found = reported.samplesAbove() + (reported.hasFewSamples() ? " above: grey" : " above: shown");
            checks.add(new Check(Prediction.name(percentile), expected, found, expected.equals(found)));
        }
        long needed = Math.round(ENOUGH / 0.001 / evidence.plan().load().ratePerSecond() * NANOS);
        Check.Range range = new Check.Range(needed - needed / 1000, needed, needed + needed / 1000);
        checks.add(Check.time(
                "run for p99.9", range, evidence.result().response().at(99.9).runForNanos()));
        checks.add(evidence.says("INCONCLUSIVE"));
        checks.add(evidence.says("p99.9<1s cannot be judged: 5 samples"));
        return checks;
    }

    /** A limiter that sleeps and catches up sends most of its messages one right behind the other. */
    private static List<Check> bursts(TrialEvidence evidence) {
        int most = Prediction.Tolerance.pooled(evidence).displaced();
        return List.of(
                Check.count("sent too close", 0, 0, most, evidence.witness().bunched()),
                Prediction.pooled(evidence, Of.SEND_DELAY).time("send delay p99", 99));
    }

    /** The intervals of the log together are the whole, to the last count. */
    private static List<Check> merge(TrialEvidence evidence) {
        Latency reported = evidence.result().response();
        Histogram merged = evidence.response();
        Check.Range range = Prediction.pooled(evidence, Of.RESPONSE).at(99);
        List<Check> checks = new ArrayList<>();
        checks.add(Check.time("p99 merged", range, merged.getValueAtPercentile(99)));
        checks.add(Check.count("values merged", reported.count(), merged.getTotalCount()));
        for (double percentile : PERCENTILES) {
            long nanos = reported.at(percentile).nanos();
            String name = Prediction.name(percentile) + " merged, ns";
            checks.add(Check.count(name, nanos, merged.getValueAtPercentile(percentile)));
        }
        return checks;
    }

    /** 0.5 % of all messages are slow: the p99.9 is slow. The average of eight p99.9 would be 9.25 ms. */
    private static List<Check> averages(TrialEvidence evidence) {
        Prediction pooled = Prediction.pooled(evidence, Of.RESPONSE);
        return List.of(pooled.time("p99.9 of all", 99.9), pooled.time("p99 of all", 99));
    }

    private static List<Check> worst(TrialEvidence evidence) {
        Long pooled = evidence.result().response().at(99).nanos();
        String found = pooled == null ? "none" : pooled / 1_000 + " us";
        String name = "instance " + (SLOW_INSTANCE + 1);
        return List.of(
                Prediction.of(evidence, SLOW_INSTANCE).time(name + " p99", 99),
                evidence.says(name + " broke p99<40ms"),
                evidence.says("FAIL"),
                new Check("p99 of all", "under 40 ms", found, pooled != null && pooled < INSTANCE_LIMIT));
    }

    /** The comparison has to find the fifth more, from either side, and nothing between a build and itself. */
    private static List<Check> comparison(Map<String, TrialEvidence> all, TestedLaboratory laboratory) {
        List<Sample> build = samples(all, BUILDS.get(0), BUILDS.get(2));
        List<Sample> slower = samples(all, BUILDS.get(1), BUILDS.get(3));
        double late = BUILDS.stream()
                .mapToLong(id -> Prediction.Tolerance.of(all.get(id), 0).wakeNanos())
                .max()
                .orElse(0);
        Difference worse = median(build, slower);
        double least = SLOWER_NANOS / (BUILD_NANOS + late) - 1;
        double most = (SLOWER_NANOS + late) / BUILD_NANOS - 1;
        String expected = String.format(Locale.ROOT, "+20 %% (%+.1f to %+.1f)", 100 * least, 100 * most);
        String found = String.format(Locale.ROOT, "%+.1f %%", 100 * worse.change());
        return List.of(
                new Check("p50", expected, found, worse.change() >= least && worse.change() <= most),
                word("in words", Difference.Word.SLOWER, worse),
                word("the other way round", Difference.Word.FASTER, median(slower, build)),
                word("with itself", Difference.Word.SAME, median(build, build)));
    }

    private static Check word(String what, Difference.Word expected, Difference found) {
        return new Check(what, expected.toString(), found.word().toString(), found.word() == expected);
    }

    private static List<Sample> samples(Map<String, TrialEvidence> all, String one, String other) {
        return List.of(
                new Sample(all.get(one).result(), List.of()),
                new Sample(all.get(other).result(), List.of()));
    }

    private static Difference median(List<Sample> before, List<Sample> after) {
        return new Statistics(before, after)
                .differences().stream()
                        .filter(each -> each.percentile() == 50)
                        .findFirst()
                        .orElseThrow();
    }
}
