package dev.baton.lab.study.soak;

import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.MeasuredKind;

/** Chains for hours, and what grows meanwhile. Stateless, thread-safe. */
public final class SoakKind extends MeasuredKind<SoakStudy> {
    public SoakKind() {
        super("soak", SoakStudy.class, SoakFindings.class, SoakWorkload::open, SoakCommand::new);
    }

    @Override
    public TrialResult judged(TrialResult trial) {
        return TrendJudge.judged(trial);
    }
}
