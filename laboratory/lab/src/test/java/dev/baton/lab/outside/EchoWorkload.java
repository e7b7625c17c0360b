package dev.baton.lab.outside;

import dev.baton.lab.results.Findings;
import dev.baton.lab.trial.ChainWorkload;
import dev.baton.lab.trial.Transports;
import dev.baton.lab.trial.ends.Instruments;

/** A chain whose findings repeat the plan. */
final class EchoWorkload extends ChainWorkload {
    private final EchoStudy study;

    EchoWorkload(Instruments instruments) {
        super(instruments, Transports.rig(instruments));
        study = (EchoStudy) instruments.plan().study();
    }

    @Override
    public Findings findings() {
        return new EchoFindings(study.words());
    }
}
