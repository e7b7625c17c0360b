package dev.baton.lab.study.chaos;

import dev.baton.lab.command.CommandSource;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.results.StudyKind;
import dev.baton.operations.line.Console;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;

/** What becomes of messages when processes, brokers and disks fail. Stateless, thread-safe. */
public final class ChaosKind implements StudyKind, CommandSource {
    @Override
    public String name() {
        return "chaos";
    }

    @Override
    public List<BiFunction<Console, Workbench, ? extends Callable<Integer>>> commands() {
        return List.of(ChaosCommand::new);
    }
}
