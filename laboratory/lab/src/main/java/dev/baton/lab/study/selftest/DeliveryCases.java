package dev.baton.lab.study.selftest;

import static dev.baton.lab.study.selftest.Prediction.Of.RESPONSE;
import static dev.baton.lab.study.selftest.SelftestPlans.CUT;
import static dev.baton.lab.study.selftest.SelftestPlans.FAULTS;

import dev.baton.lab.request.SelftestCase;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.measuring.data.Latency;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The cases in which messages are lost, doubled, swapped, altered or never sent. Their counts follow from the number of
 * slots alone: no machine excuses another one. Stateless, thread-safe.
 */
final class DeliveryCases {
    private DeliveryCases() {}

    static List<Case> all() {
        return List.of(
                counted(SelftestCase.LOSSES, 0, SelftestPlans.LOSE_EVERY, "lost", Delivery::lost),
                counted(SelftestCase.DUPLICATES, 1, SelftestPlans.DUPLICATE_EVERY, "duplicated", Delivery::duplicated),
                // the later one of a pair arrives first, so the earlier one is out of order
                counted(SelftestCase.REORDERINGS, 2, SelftestPlans.REORDER_EVERY, "reordered", Delivery::reordered),
                counted(SelftestCase.CORRUPTION, 3, SelftestPlans.CORRUPT_EVERY, "corrupted", Delivery::corrupted),
                Case.of(SelftestCase.UNSENT, FAULTS, "no room for 200 ms", DeliveryCases::unsent),
                Case.of(SelftestCase.UNDELIVERED, FAULTS, "2.4 % lost, unsent", DeliveryCases::undelivered),
                Case.of(SelftestCase.UNDRAINED, CUT, "2 held for 900 ms", DeliveryCases::undrained),
                Case.of(SelftestCase.CLAMP, FAULTS, "lost for 2.4 s", DeliveryCases::clamp));
    }

    private static Case counted(
            SelftestCase name, int instance, int every, String word, ToLongFunction<Delivery> reported) {
        return Case.of(
                name,
                FAULTS,
                "each " + every + "th of 1,150",
                evidence -> counted(evidence, instance, every, word, reported));
    }

    static List<Check> counted(
            TrialEvidence evidence, int instance, int every, String word, ToLongFunction<Delivery> reported) {
        long expected = slots(evidence.plan()) / every;
        Delivery delivery = evidence.result().delivery();
        InstanceFigures figures = evidence.instance(instance);
        return List.of(
                Check.count(word, expected, reported.applyAsLong(delivery)),
                Check.count("of instance " + (instance + 1), expected, figures == null ? -1 : figures.faults()),
                evidence.says(word + "; the first: instance " + (instance + 1) + ", message " + every + " "),
                evidence.says("FAIL"));
    }

    /** Returns the number of slots of one instance, warm-up included. */
    private static long slots(TrialPlan plan) {
        return Math.round(plan.phases().sendingNanos() / plan.load().intervalNanos());
    }

    static List<Check> unsent(TrialEvidence evidence) {
        TrialPlan plan = evidence.plan();
        Delivery delivery = evidence.result().delivery();
        long refusedNanos = plan.phases().measureNanos() - SelftestPlans.REFUSED_FROM;
        long unsent = Math.round(refusedNanos / plan.load().intervalNanos());
        long sent = plan.shape().instances() * slots(plan) - unsent;
        long slack = Prediction.Tolerance.of(evidence, SelftestPlans.REFUSED_INSTANCE)
                        .displaced()
                + 1;
        return List.of(
                Check.count("unsent", Math.max(0, unsent - 1), unsent, unsent + slack, delivery.unsent()),
                Check.count("sent", sent - slack, sent, sent + 1, delivery.sent()),
                Check.count("sent and unsent", sent + unsent, delivery.sent() + delivery.unsent()),
                Check.count("sent, as the transport saw it", evidence.witness().sent(), delivery.sent()),
                Check.count("delivered and lost", delivery.sent(), delivery.delivered() + delivery.lost()),
                evidence.says("instance 5 reached "));
    }

    /** 20 lost and 100 unsent of 5,000 are charged until the deadline; without them nothing would be slow. */
    static List<Check> undelivered(TrialEvidence evidence) {
        Prediction response = Prediction.pooled(evidence, RESPONSE);
        long recorded = evidence.result().response().count();
        return List.of(
                response.time(99.9),
                response.time(99),
                Check.count("responses", response.count(), recorded),
                response.above("over 400 ms", SelftestPlans.MILLI * 400));
    }

    /** Checks messages that arrive after the drain: none is lost, and it is unknown whether the chain keeps up. */
    private static List<Check> undrained(TrialEvidence evidence) {
        Delivery delivery = evidence.result().delivery();
        return List.of(
                Check.count("lost", 0, delivery.lost()),
                Check.count("not drained", 1, 2, 3, delivery.undrained()),
                Check.count("delivered and not drained", delivery.sent(), delivery.delivered() + delivery.undrained()),
                evidence.says(" messages not drained within 300ms"),
                evidence.says("INCONCLUSIVE"));
    }

    static List<Check> clamp(TrialEvidence evidence) {
        Latency reported = evidence.result().response();
        long longest = evidence.plan().phases().measureNanos()
                + evidence.plan().phases().drainNanos();
        String highest = reported.highestNanos() / SelftestPlans.MILLI + " ms";
        boolean isAbove = reported.highestNanos() > longest;
        return List.of(
                Prediction.pooled(evidence, RESPONSE).time(100),
                Check.count("clamped", 0, reported.clamped()),
                new Check("highest that can be recorded", "above the longest possible", highest, isAbove));
    }
}
