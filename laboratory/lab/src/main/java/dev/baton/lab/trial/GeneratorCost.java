package dev.baton.lab.trial;

import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.Rate;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.terminal.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Whether the generators of a chain with messages of its own were what held it up. They run on the loops that feed the
 * chains, so what they take no chain gets. Stateless.
 */
final class GeneratorCost {
    /** Share of the time of the loops that feed chains, from which a failure is put down to generators as well. */
    static final double MAX_SHARE = 0.5;

    private GeneratorCost() {}

    /** The same verdict, with the generators among the reasons if they took so much and the trial did not pass. */
    static Outcome in(Outcome outcome, TrialPlan plan, Rate rate) {
        if (outcome.verdict() == Verdict.PASS
                || rate.writingNanos() == null
                || plan.load().isSaturated()) {
            return outcome;
        }
        int instances = plan.shape().instances();
        double share =
                rate.writingNanos() * plan.load().ratePerSecond() * instances / 1e9 / feedingLoops(plan, instances);
        if (share < MAX_SHARE) {
            return outcome;
        }
        List<String> reasons = new ArrayList<>(outcome.reasons());
        reasons.add(String.format(
                Locale.ROOT,
                "the generator of chain %s took %s for each message: at this rate %.0f %% of the loops that feed the chains;"
                        + " the figures are the generator's",
                plan.shape().chain().name(),
                Units.time(Math.round(rate.writingNanos())),
                100 * share));
        return new Outcome(outcome.verdict(), reasons, outcome.blamesHost());
    }

    private static int feedingLoops(TrialPlan plan, int instances) {
        if (!plan.loops().isCooperative()) {
            return instances;
        }
        String loops = plan.loops().threading().substring(LoopPlan.COOPERATIVE.length());
        return Math.min(instances, Integer.parseInt(loops));
    }
}
