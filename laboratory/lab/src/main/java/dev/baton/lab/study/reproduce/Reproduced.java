package dev.baton.lab.study.reproduce;

import dev.baton.lab.results.Headline;
import dev.baton.lab.results.ReadExperiment;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import java.util.List;
import java.util.Optional;

/** A step that was run. @param experiment its results; null for none */
record Reproduced(StudyStep step, ReadExperiment experiment) {
    /** The trials that count, in order. */
    List<TrialResult> trials() {
        return experiment == null
                ? List.of()
                : experiment.trials().stream()
                        .filter(trial -> trial.outcome().verdict() != Verdict.INTERRUPTED)
                        .toList();
    }

    /** {@return the result of a step that searched for a number of chains; empty if it found none, or did not search} */
    Optional<Headline.Cost> found() {
        return experiment == null
                ? Optional.empty()
                : Headline.in(experiment.folder()).stream()
                        .flatMap(headline -> headline.costs().stream())
                        .filter(each -> !each.isPublished())
                        .findFirst();
    }
}
