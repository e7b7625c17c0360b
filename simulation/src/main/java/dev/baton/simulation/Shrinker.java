package dev.baton.simulation;

import dev.baton.simulation.plan.Choices;
import dev.baton.simulation.plan.Rule;
import dev.baton.simulation.time.Carrier;
import dev.baton.simulation.world.ScheduleOutcome;
import dev.baton.simulation.world.ScheduleRun;
import java.util.Arrays;

/**
 * Simplifies a schedule that fails: cuts off the end of its choices, and sets chunks of them to 0, the simplest choice, as long as the same
 * rule is violated. The chunks shrink until nothing changes or the attempts are used up. Used once.
 */
final class Shrinker {
    private static final int MAX_ATTEMPTS = 4_000;

    private final Carrier.Pool pool;
    private final Rule rule;
    private int[][] best;
    private int steps;
    private int attempts;

    Shrinker(Carrier.Pool pool, ScheduleOutcome failing) {
        this.pool = pool;
        this.rule = failing.violation().rule();
        this.best = failing.choices();
        this.steps = failing.steps();
    }

    /** {@return the simplest choices found that violate the same rule} */
    int[][] shrink() {
        boolean isBetter = true;
        while (isBetter && attempts < MAX_ATTEMPTS) {
            isBetter = false;
            for (Choices.Kind kind : Choices.Kind.values()) {
                isBetter |= cutEnd(kind.ordinal());
                for (int chunk = Math.max(1, best[kind.ordinal()].length / 2); chunk >= 1; chunk /= 2) {
                    isBetter |= zero(kind.ordinal(), chunk);
                }
                isBetter |= lower(kind.ordinal());
            }
        }
        return best;
    }

    private boolean cutEnd(int kind) {
        boolean isBetter = false;
        for (int cut = best[kind].length / 2; cut >= 1; cut /= 2) {
            while (cut < best[kind].length && attempt(kind, Arrays.copyOf(best[kind], best[kind].length - cut))) {
                isBetter = true;
            }
        }
        return isBetter;
    }

    private boolean zero(int kind, int chunk) {
        boolean isBetter = false;
        for (int from = 0; from < best[kind].length && attempts < MAX_ATTEMPTS; from += chunk) {
            int[] simpler = best[kind].clone();
            Arrays.fill(simpler, from, Math.min(simpler.length, from + chunk), 0);
            if (!Arrays.equals(simpler, best[kind])) {
                isBetter |= attempt(kind, simpler);
            }
        }
        return isBetter;
    }

    private boolean lower(int kind) {
        boolean isBetter = false;
        for (int at = 0; at < best[kind].length && attempts < MAX_ATTEMPTS; at++) {
            if (best[kind][at] > 1) {
                int[] simpler = best[kind].clone();
                simpler[at] /= 2;
                isBetter |= attempt(kind, simpler);
            }
        }
        return isBetter;
    }

    /** Keeps the choices if they still fail, in no more steps than before. */
    private boolean attempt(int kind, int[] simpler) {
        if (attempts >= MAX_ATTEMPTS) {
            return false;
        }
        attempts++;
        int[][] choices = best.clone();
        choices[kind] = simpler;
        ScheduleOutcome outcome = ScheduleRun.run(pool, Choices.replay(choices), false);
        if (outcome.violation() == null || outcome.violation().rule() != rule || outcome.steps() > steps) {
            return false;
        }
        best = choices;
        steps = outcome.steps();
        return true;
    }
}
