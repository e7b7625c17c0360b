package dev.baton.lab.study.reproduce;

import dev.baton.lab.command.CommandSource;
import java.util.List;

/** Published studies with their own settings, through the commands of the other kinds. Stateless, thread-safe. */
public final class ReproduceKind implements CommandSource {
    @Override
    public String name() {
        return "reproduce";
    }

    @Override
    public List<Maker> commands() {
        return List.of(ReproduceCommand::new);
    }
}
