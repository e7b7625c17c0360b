package dev.baton.lab.study.window;

import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.terminal.Units;
import java.util.List;
import java.util.Locale;

/** What the trials of a sliding window are called: by what may differ between them. Immutable, thread-safe. */
public final class WindowNames {
    private final boolean isTransportNamed;

    private WindowNames(boolean isTransportNamed) {
        this.isTransportNamed = isTransportNamed;
    }

    /** Names for trials that stand side by side. */
    static WindowNames among(List<TrialResult> trials) {
        return new WindowNames(trials.stream()
                        .map(trial -> trial.plan().subject().transport())
                        .distinct()
                        .count()
                > 1);
    }

    String of(TrialResult trial) {
        return isTransportNamed ? inFull(trial.plan()) : text(trial.plan());
    }

    /** The name of a trial by itself. */
    public static String inFull(TrialPlan plan) {
        return plan.subject().transport() + " " + text(plan);
    }

    private static String text(TrialPlan plan) {
        WindowStudy study = (WindowStudy) plan.study();
        int loops = Integer.parseInt(plan.loops().threading().substring(LoopPlan.COOPERATIVE.length()));
        int sources = plan.shape().instances();
        return study.state().name().toLowerCase(Locale.ROOT) + ", " + Units.count(study.keys()) + " keys, " + loops
                + (loops == 1 ? " loop" : " loops") + (sources == loops ? "" : ", " + sources + " sources");
    }
}
