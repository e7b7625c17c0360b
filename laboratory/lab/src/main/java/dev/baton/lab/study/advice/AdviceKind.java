package dev.baton.lab.study.advice;

import dev.baton.lab.command.CommandSource;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.results.StudyKind;
import dev.baton.operations.line.Console;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;

/** What to take for a rate, a limit and a guarantee: a search over trials of chains. Stateless, thread-safe. */
public final class AdviceKind implements StudyKind, CommandSource {
    @Override
    public String name() {
        return "advise";
    }

    @Override
    public List<BiFunction<Console, Workbench, ? extends Callable<Integer>>> commands() {
        return List.of(AdviseCommand::new);
    }
}
