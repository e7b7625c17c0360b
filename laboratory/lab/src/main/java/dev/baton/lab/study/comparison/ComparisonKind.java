package dev.baton.lab.study.comparison;

import dev.baton.lab.command.CommandSource;
import dev.baton.lab.command.MeasuredStudy;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.results.StudyKind;
import dev.baton.operations.line.Console;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;

/** Experiments beside each other: of one matrix, of two builds, of a build and its limits. Stateless, thread-safe. */
public final class ComparisonKind implements StudyKind, CommandSource {
    @Override
    public String name() {
        return "comparison";
    }

    @Override
    public List<BiFunction<Console, Workbench, ? extends Callable<Integer>>> commands() {
        return List.of(
                (console, bench) -> new MatrixCommand(console, bench, MeasuredStudy.all(console, bench)),
                (console, bench) -> new CompareCommand(console),
                GateCommand::new);
    }
}
