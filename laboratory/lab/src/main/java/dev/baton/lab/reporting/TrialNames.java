package dev.baton.lab.reporting;

import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.settings.Subject;
import java.util.List;

/**
 * What a trial is called: by its transport, and by its engine where that does not go without saying; of some
 * studies by its id. Thread-safe.
 */
public final class TrialNames {
    private final boolean isEngineNamed;

    private TrialNames(boolean isEngineNamed) {
        this.isEngineNamed = isEngineNamed;
    }

    /** Names for trials that stand side by side. */
    public static TrialNames among(List<TrialResult> trials) {
        return new TrialNames(trials.stream()
                .anyMatch(trial -> !trial.plan().subject().engine().equals(Subject.BATON)));
    }

    public String of(TrialResult trial) {
        if (isKnownById(trial.plan())) {
            return trial.plan().id();
        }
        Subject subject = trial.plan().subject();
        return isEngineNamed ? subject.transport() + " " + subject.engine() : subject.transport();
    }

    /** The name of a trial by itself. */
    public static String of(TrialPlan plan) {
        if (isKnownById(plan)) {
            return plan.id();
        }
        Subject subject = plan.subject();
        return subject.engine().equals(Subject.BATON)
                ? subject.transport()
                : subject.transport() + " " + subject.engine();
    }

    private static boolean isKnownById(TrialPlan plan) {
        return plan.study() != null && plan.study().isKnownById();
    }
}
