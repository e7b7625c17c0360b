package dev.baton.lab.trial;

import dev.baton.chains.ProvidedChain;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.TrialPlan;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.operations.chains.NamedChain;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * Detects while a trial runs that a limit is certain to be exceeded, so that the rest of the measurement cannot change it.
 *
 * <p>It observes the responses of all instances together. A percentile allows each instance so many late messages in the whole measurement;
 * when more are late by now than all instances together may have, at least one of them has exceeded the limit. It waits for {@value
 * #MARGIN} times as many, as histograms round and random arrivals are not as many as planned. A limit that few of many instances exceed is
 * not detected, and the trial takes its whole time. Immutable, thread-safe.
 *
 * @param limits of the plan
 * @param messages of all instances in the whole measurement, at the most; each has at most one response
 * @param isReadFromSend whether latencies are judged from the send
 */
record BrokenLimits(List<Limit> limits, double messages, boolean isReadFromSend) {
    private static final int MARGIN = 2;

    /**
     * Creates the check for a plan; without limits, or where the number of responses is unknown, it never detects one: at saturation, and
     * of chains with any number of outputs, each of which has a response.
     */
    static BrokenLimits of(TrialPlan plan) {
        boolean isKnown = plan.phases().endsWhenBroken() && !plan.load().isSaturated() && !hasManyOutputs(plan);
        return new BrokenLimits(
                isKnown ? plan.limits() : List.of(),
                plan.shape().instances()
                        * (plan.load().ratePerSecond() * plan.phases().measureNanos() / 1e9
                                + plan.load().burst()), // a window may have a whole burst more than the rate says
                plan.load().isReadFromSend());
    }

    private static boolean hasManyOutputs(TrialPlan plan) {
        NamedChain chain = plan.shape().chain();
        return chain != null && chain.open().outputs() == ProvidedChain.Outputs.ANY;
    }

    /** The first limit that cannot be kept after what was recorded since the measurement began. */
    Optional<Limit> first(LatencyHistograms recorded) {
        Histogram judged = isReadFromSend ? recorded.service() : recorded.response();
        return limits.stream()
                .filter(limit -> late(judged, limit) > allowed(limit))
                .findFirst();
    }

    private double allowed(Limit limit) {
        return MARGIN * Math.max(1, Math.round(messages * (100 - limit.percentile()) / 100));
    }

    private static long late(Histogram judged, Limit limit) {
        long above = judged.nextNonEquivalentValue(limit.nanos());
        return judged.getMaxValue() < above ? 0 : judged.getCountBetweenValues(above, judged.getMaxValue());
    }
}
