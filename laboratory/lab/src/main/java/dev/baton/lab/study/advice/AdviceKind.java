package dev.baton.lab.study.advice;

import dev.baton.lab.command.CommandSource;
import java.util.List;

/** The study that recommends a setting for a rate, a limit and a guarantee: a search over trials of chains. Stateless, thread-safe. */
public final class AdviceKind implements CommandSource {
    @Override
    public String name() {
        return "advise";
    }

    @Override
    public List<Maker> commands() {
        return List.of(AdviseCommand::new);
    }
}
