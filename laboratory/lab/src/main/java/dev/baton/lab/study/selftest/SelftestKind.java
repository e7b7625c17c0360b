package dev.baton.lab.study.selftest;

import dev.baton.lab.command.CommandSource;
import dev.baton.lab.trial.Workload;
import dev.baton.lab.trial.ends.Instruments;
import java.util.List;

/** The study that checks whether the laboratory finds planted faults. Stateless, thread-safe. */
public final class SelftestKind implements Workload.OfStudy, CommandSource {
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
        return SelftestWorkload.open(
                instruments, request().cast(instruments.plan().study()));
    }

    @Override
    public List<Maker> commands() {
        return List.of(SelftestCommand::new);
    }
}
