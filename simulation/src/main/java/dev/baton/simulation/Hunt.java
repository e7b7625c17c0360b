package dev.baton.simulation;

import dev.baton.simulation.plan.Choices;
import dev.baton.simulation.plan.Violation;
import dev.baton.simulation.time.Carrier;
import dev.baton.simulation.world.ScheduleOutcome;
import dev.baton.simulation.world.ScheduleRun;

/** Runs seed after seed until a rule is violated. Its parameters have types of the JDK, so that it can be called over defective classes. */
public final class Hunt {
    private Hunt() {}

    /**
     * Searches for a schedule that violates a rule.
     *
     * @param rule name of the rule, empty for any
     * @return the seed, a blank, and the violation; null when there is none
     */
    public static String find(long firstSeed, int seeds, String rule) {
        Quiet.core();
        try (Carrier.Pool pool = new Carrier.Pool()) {
            for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
                Violation violation =
                        ScheduleRun.run(pool, Choices.of(seed), false).violation();
                if (violation != null
                        && (rule.isEmpty() || violation.rule().name().equals(rule))) {
                    return seed + " " + violation;
                }
            }
        }
        return null;
    }

    /**
     * Simplifies the first schedule of more than 100 steps that violates a rule.
     *
     * @return steps before, steps after, lines of its text, and the rule that the simplified schedule violates
     */
    public static String shrunk(long firstSeed, int seeds, String rule) {
        Quiet.core();
        try (Carrier.Pool pool = new Carrier.Pool()) {
            for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
                ScheduleOutcome failing = ScheduleRun.run(pool, Choices.of(seed), false);
                if (failing.violation() != null
                        && failing.violation().rule().name().equals(rule)
                        && failing.steps() > 100) {
                    int[][] simplest = new Shrinker(pool, failing).shrink();
                    ScheduleOutcome shrunk = ScheduleRun.run(pool, Choices.replay(simplest), true);
                    return failing.steps() + " " + shrunk.steps() + " "
                            + shrunk.lines().size() + " " + shrunk.violation().rule();
                }
            }
        }
        return null;
    }
}
