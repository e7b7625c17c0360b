package dev.baton.lab.study.soak;

import dev.baton.lab.command.MeasuredStudy;
import dev.baton.lab.command.MeasuringCommand;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.results.StudyKind;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.trial.Instruments;
import dev.baton.lab.trial.Workload;
import dev.baton.operations.line.Console;
import java.util.function.BiFunction;

/** Chains for hours, and what grows meanwhile. Stateless, thread-safe. */
public final class SoakKind implements StudyKind, Workload.Source, MeasuredStudy {
    @Override
    public String name() {
        return "soak";
    }

    @Override
    public Class<SoakStudy> request() {
        return SoakStudy.class;
    }

    @Override
    public Class<SoakFindings> findings() {
        return SoakFindings.class;
    }

    @Override
    public Workload open(Instruments instruments) {
        return SoakWorkload.open(instruments);
    }

    @Override
    public TrialResult judged(TrialResult trial) {
        return ProcessesElsewhere.judged(trial);
    }

    @Override
    public BiFunction<Console, Workbench, MeasuringCommand> command() {
        return SoakCommand::new;
    }
}
