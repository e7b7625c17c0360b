package dev.baton.lab.study.density;

import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.search.CapacitySearch;
import java.util.Comparator;
import java.util.List;

/**
 * One trial of a search that counts. Immutable, thread-safe.
 *
 * @param step the step of the search
 * @param trial its result; without one its JVM ended early, which is a failure of the number
 */
public record Measured(CapacitySearch.Step step, FinishedTrial trial) {
    /** {@return the plan as it was carried out} */
    public TrialPlan plan() {
        return trial.plan();
    }

    /** Returns the result; null when its JVM ended before it wrote one. */
    public TrialResult result() {
        return trial.result();
    }

    public Verdict verdict() {
        return trial.verdict();
    }

    /** {@return the reasons why it failed; empty when it passed} */
    public List<String> reasons() {
        return result() == null
                ? List.of(trial.failure().getMessage())
                : result().outcome().reasons();
    }

    /** The instance with the highest p99.9; null without a result. */
    public InstanceFigures worst() {
        return result() == null ? null : result().worstInstance().orElse(null);
    }

    /** Its p99.9; null without a result. */
    public Long worstNanos() {
        InstanceFigures worst = worst();
        return worst == null ? null : worst.p999Nanos();
    }

    /** {@return whether it has no result because the host withheld the machine} */
    boolean isSpoiltByHost() {
        return verdict() == Verdict.INCONCLUSIVE && result().outcome().blamesHost();
    }

    /** {@return whether a limit was judged on fewer samples than a quoted figure needs} */
    public boolean isProvisional() {
        return plan().limits().stream().anyMatch(limit -> limit.leastSamples() < Limit.ENOUGH_SAMPLES);
    }

    /** Returns whether its verdict rests on such a limit. */
    boolean isVerdictProvisional() {
        return result() != null && result().isProvisional();
    }

    /** Nanoseconds of CPU, the broker's included, for each topic that a message crossed; null when it is unknown. */
    public Double cpuNanosPerHop() {
        return result() == null ? null : result().cpuNanosPerHop();
    }

    /** Part of all CPU time that was used meanwhile, by any process; null when it is unknown. */
    Double busyShare() {
        return result() == null || result().machine() == null
                ? null
                : result().machine().host().busyShare();
    }

    /** The largest part of a limit that the worst instance took, of limits whose percentile it reports; null when there is none. */
    Double limitShare() {
        InstanceFigures worst = worst();
        return worst == null
                ? null
                : plan().limits().stream()
                        .filter(limit -> worst.nanosAt(limit.percentile()) != null)
                        .map(limit -> (double) worst.nanosAt(limit.percentile()) / limit.nanos())
                        .max(Comparator.naturalOrder())
                        .orElse(null);
    }

    /** {@return the context switches of all threads of the JVM; null when they are unknown} */
    public Double contextSwitchesPerSecond() {
        return result() == null
                        || result().machine() == null
                        || result().machine().contextSwitches() == null
                ? null
                : result().machine().contextSwitches()
                        * 1e9
                        / Math.max(1, result().span().measureNanos());
    }
}
