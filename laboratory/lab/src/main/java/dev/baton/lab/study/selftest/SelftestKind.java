package dev.baton.lab.study.selftest;

import dev.baton.lab.command.CommandSource;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.results.StudyKind;
import dev.baton.lab.trial.Instruments;
import dev.baton.lab.trial.Workload;
import dev.baton.operations.line.Console;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;

/** Whether the laboratory finds what was planted. Stateless, thread-safe. */
public final class SelftestKind implements StudyKind, Workload.Source, CommandSource {
    @Override
    public String name() {
        return "selftest";
    }

    @Override
    public Class<SelftestStudy> request() {
        return SelftestStudy.class;
    }

    @Override
    public Class<SelftestFindings> findings() {
        return SelftestFindings.class;
    }

    @Override
    public Workload open(Instruments instruments) {
        return SelftestWorkload.open(instruments);
    }

    @Override
    public List<BiFunction<Console, Workbench, ? extends Callable<Integer>>> commands() {
        return List.of(SelftestCommand::new);
    }
}
