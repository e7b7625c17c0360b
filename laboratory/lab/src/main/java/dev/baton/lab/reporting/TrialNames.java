package dev.baton.lab.reporting;

import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.settings.Subject;
import java.util.List;

/**
 * The name of a trial: its transport, and its engine unless that is obvious; in some studies, and without messages, its id. Immutable, thread-safe.
 *
 * @param isEngineNamed whether the engine is part of the name
 */
public record TrialNames(boolean isEngineNamed) {
    /** Names for trials that stand side by side. */
    public static TrialNames among(List<TrialResult> trials) {
        return new TrialNames(trials.stream()
                .anyMatch(trial -> !trial.plan().subject().engine().equals(Subject.BATON)));
    }

    public String of(TrialResult trial) {
        return of(trial.plan(), isEngineNamed);
    }

    /** The name of a trial by itself. */
    public static String of(TrialPlan plan) {
        return of(plan, !plan.subject().engine().equals(Subject.BATON));
    }

    private static String of(TrialPlan plan, boolean isEngineNamed) {
        if (plan.load().isNone() || plan.study().isKnownById()) {
            return plan.id();
        }
        Subject subject = plan.subject();
        return isEngineNamed ? subject.transport() + " " + subject.engine() : subject.transport();
    }
}
