package dev.baton.lab.study.density;

import dev.baton.lab.command.CommandSource;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.results.StudyKind;
import dev.baton.operations.line.Console;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;

/** How many chains a machine carries: a search over trials of chains. Stateless, thread-safe. */
public final class DensityKind implements StudyKind, CommandSource {
    @Override
    public String name() {
        return "density";
    }

    @Override
    public List<BiFunction<Console, Workbench, ? extends Callable<Integer>>> commands() {
        return List.of(DensityCommand::new);
    }
}
