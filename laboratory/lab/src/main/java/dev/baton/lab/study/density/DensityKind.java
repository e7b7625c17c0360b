package dev.baton.lab.study.density;

import dev.baton.lab.command.CommandSource;
import java.util.List;

/** The study of the number of chains that a machine carries: a search over trials of chains. Stateless, thread-safe. */
public final class DensityKind implements CommandSource {
    @Override
    public String name() {
        return "density";
    }

    @Override
    public List<Maker> commands() {
        return List.of(DensityCommand::new);
    }
}
