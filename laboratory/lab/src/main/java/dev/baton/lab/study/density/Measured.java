package dev.baton.lab.study.density;

import dev.baton.lab.request.Limit;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.lab.results.TrialResult;
import java.util.List;

/**
 * One trial of a search. Immutable, thread-safe.
 *
 * @param plan as it was carried out
 * @param step what was run
 * @param answer how it counts
 * @param result null when its JVM did not live to write one: that counts as a failure of the number
 * @param reasons why it did not pass; empty when it did
 */
public record Measured(TrialPlan plan, Step step, Answer answer, TrialResult result, List<String> reasons) {
    public Measured {
        reasons = List.copyOf(reasons);
    }

    /** The instance with the highest p99.9; null without a result. */
    public InstanceFigures worst() {
        return result == null ? null : result.worstInstance().orElse(null);
    }

    /** Its p99.9; null without a result. */
    public Long worstNanos() {
        InstanceFigures worst = worst();
        return worst == null ? null : worst.p999Nanos();
    }

    /** Whether it told nothing as the host did not leave it the machine. */
    boolean isSpoiltByHost() {
        return answer == Answer.INCONCLUSIVE && result.outcome().blamesHost();
    }

    /** Whether a limit was judged on fewer samples than a figure needs that is quoted. */
    public boolean isProvisional() {
        return plan.limits().stream().anyMatch(limit -> limit.leastSamples() < Limit.ENOUGH_SAMPLES);
    }

    /** Nanoseconds of CPU, the broker's included, for each topic that a message crossed; null when it was not told. */
    public Double cpuNanosPerHop() {
        return result == null ? null : result.cpuNanosPerHop();
    }

    /** Of all threads of the JVM; null when it was not told. */
    public Double contextSwitchesPerSecond() {
        return result == null || result.machine() == null || result.machine().contextSwitches() == null
                ? null
                : result.machine().contextSwitches()
                        * 1e9
                        / Math.max(1, result.span().measureNanos());
    }
}
