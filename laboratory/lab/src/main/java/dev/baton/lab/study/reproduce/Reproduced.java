package dev.baton.lab.study.reproduce;

import dev.baton.lab.results.ReadExperiment;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import java.util.List;

/**
 * A step that was run.
 *
 * @param experiment what it left; null when it left nothing
 */
record Reproduced(Step step, ReadExperiment experiment) {
    /** The trials that count, in the order in which they ran. */
    List<TrialResult> trials() {
        return experiment == null
                ? List.of()
                : experiment.trials().stream()
                        .filter(trial -> trial.outcome().verdict() != Verdict.INTERRUPTED)
                        .toList();
    }
}
