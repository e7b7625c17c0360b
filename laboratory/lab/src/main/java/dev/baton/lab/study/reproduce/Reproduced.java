package dev.baton.lab.study.reproduce;

import dev.baton.lab.results.Headline;
import dev.baton.lab.results.ReadExperiment;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import java.util.List;
import java.util.Optional;

/** A step that was run. @param experiment what it left; null when it left nothing */
record Reproduced(Step step, ReadExperiment experiment) {
    /** The trials that count, in the order in which they ran. */
    List<TrialResult> trials() {
        return experiment == null
                ? List.of()
                : experiment.trials().stream()
                        .filter(trial -> trial.outcome().verdict() != Verdict.INTERRUPTED)
                        .toList();
    }

    /** What a step that searched for a number of chains found; empty when it found none, or did not search. */
    Optional<Headline.Cost> found() {
        return experiment == null
                ? Optional.empty()
                : Headline.in(experiment.folder()).stream()
                        .flatMap(headline -> headline.costs().stream())
                        .filter(each -> !each.isPublished())
                        .findFirst();
    }
}
