package dev.baton.lab.study.reproduce;

import dev.baton.lab.command.CommandSource;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.results.StudyKind;
import dev.baton.operations.line.Console;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;

/** Published studies with their own settings, through the commands of the other kinds. Stateless, thread-safe. */
public final class ReproduceKind implements StudyKind, CommandSource {
    @Override
    public String name() {
        return "reproduce";
    }

    @Override
    public List<BiFunction<Console, Workbench, ? extends Callable<Integer>>> commands() {
        return List.of(ReproduceCommand::new);
    }
}
