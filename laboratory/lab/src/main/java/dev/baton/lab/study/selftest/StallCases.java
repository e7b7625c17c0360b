package dev.baton.lab.study.selftest;

import static dev.baton.lab.study.selftest.Prediction.Of.RESPONSE;
import static dev.baton.lab.study.selftest.Prediction.Of.SEND_DELAY;
import static dev.baton.lab.study.selftest.Prediction.Of.SERVICE;
import static dev.baton.lab.study.selftest.SelftestPlans.STALLS;
import static dev.baton.lab.study.selftest.SelftestPlans.STALL_LIMIT;

import dev.baton.lab.request.SelftestCase;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.measuring.data.Latency;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** The cases in which a thread stands still. Stateless, thread-safe. */
final class StallCases {
    private static final int INSTANCES = 3;
    private static final String LIMIT = "over 50 ms";

    private StallCases() {}

    static List<Case> all() {
        return List.of(
                Case.of(SelftestCase.OMISSION, STALLS, "200 ms in 3 s", StallCases::omission),
                Case.of(SelftestCase.GENERATOR_STALL, STALLS, "200 ms in 3 s", e -> stall(e, 0)),
                Case.of(SelftestCase.SERVICE_STALL, STALLS, "160 ms in 3 s", e -> stall(e, 1)),
                Case.of(SelftestCase.RECEIVER_STALL, STALLS, "130 ms in 3 s", e -> stall(e, 2)),
                Case.of(SelftestCase.STALL_ARITHMETIC, STALLS, "490 ms in 9 s", StallCases::arithmetic));
    }

    /** Every slot that passed while the generator slept keeps its time; one that begins anew would know of one. */
    private static List<Check> omission(Evidence evidence) {
        Prediction sendDelay = Prediction.pooled(evidence, SEND_DELAY);
        return List.of(
                sendDelay.above("send delay > 50 ms", STALL_LIMIT, countAbove(evidence.sendDelay(), STALL_LIMIT)),
                Check.count(
                        "slots measured",
                        sendDelay.count(),
                        evidence.sendDelay().getTotalCount()),
                Check.count(
                        "messages sent",
                        evidence.witness().sent(),
                        evidence.result().delivery().sent()),
                Check.time(
                        "send delay max",
                        sendDelay.at(100),
                        evidence.result().sendDelay().maxNanos()));
    }

    private static List<Check> stall(Evidence evidence, int instance) {
        Prediction own = Prediction.of(evidence, instance);
        InstanceFigures figures = evidence.instance(instance);
        List<Check> checks = new ArrayList<>();
        checks.add(Check.time("p99", own.coarseAt(99), figures == null ? null : figures.p99Nanos()));
        checks.add(Check.time("p99.9", own.coarseAt(99.9), figures == null ? null : figures.p999Nanos()));
        checks.add(Check.time("max", own.coarseAt(100), figures == null ? null : figures.maxNanos()));
        Prediction.Of kind = instance == 0 ? SEND_DELAY : SERVICE;
        Latency latency = instance == 0
                ? evidence.result().sendDelay()
                : evidence.result().service();
        Prediction part = Prediction.pooled(evidence, kind);
        String name = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        checks.add(part.above(
                name + " " + LIMIT,
                STALL_LIMIT,
                countAbove(instance == 0 ? evidence.sendDelay() : evidence.service(), STALL_LIMIT)));
        checks.add(Check.time(
                name + " p99.9 of all", part.at(99.9), latency.at(99.9).nanos()));
        return checks;
    }

    private static List<Check> arithmetic(Evidence evidence) {
        Prediction response = Prediction.pooled(evidence, RESPONSE);
        List<Check> checks = new ArrayList<>();
        checks.add(response.above(LIMIT, STALL_LIMIT, countAbove(evidence.response(), STALL_LIMIT)));
        for (double percentile : new double[] {99, 99.9}) {
            checks.add(Check.time(
                    percentile == 99 ? "p99" : "p99.9",
                    response.at(percentile),
                    evidence.result().response().at(percentile).nanos()));
        }
        for (int i = 1; i <= INSTANCES; i++) {
            checks.add(Check.words("verdict", "instance " + i + " broke p99<50ms", evidence.verdict()));
        }
        checks.add(Check.words("verdict", "FAIL", evidence.verdict()));
        return checks;
    }

    /** Values above a limit, by the histogram's own buckets. */
    static long countAbove(Histogram histogram, long limitNanos) {
        long next = histogram.nextNonEquivalentValue(limitNanos);
        return histogram.getTotalCount() == 0 || histogram.getMaxValue() < next
                ? 0
                : histogram.getCountBetweenValues(next, histogram.getMaxValue());
    }
}
