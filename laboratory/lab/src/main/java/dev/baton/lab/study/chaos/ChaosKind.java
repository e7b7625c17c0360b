package dev.baton.lab.study.chaos;

import dev.baton.lab.command.CommandSource;
import java.util.List;

/** The study of messages under failures of processes, brokers and disks. Stateless, thread-safe. */
public final class ChaosKind implements CommandSource {
    @Override
    public String name() {
        return "chaos";
    }

    @Override
    public List<Maker> commands() {
        return List.of(ChaosCommand::new);
    }
}
