package dev.baton.lab.study.chaos;

import dev.baton.lab.command.CommandSource;
import dev.baton.lab.results.StudyKind;
import java.util.List;

/** What becomes of messages when processes, brokers and disks fail. Stateless, thread-safe. */
public final class ChaosKind implements StudyKind, CommandSource {
    @Override
    public String name() {
        return "chaos";
    }

    @Override
    public List<Maker> commands() {
        return List.of(ChaosCommand::new);
    }
}
