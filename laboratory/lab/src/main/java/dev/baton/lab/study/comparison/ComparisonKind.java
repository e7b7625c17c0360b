package dev.baton.lab.study.comparison;

import dev.baton.lab.command.CommandSource;
import java.util.List;

/** Comparisons of experiments: of one matrix, of two builds, of a build and its limits. Stateless, thread-safe. */
public final class ComparisonKind implements CommandSource {
    @Override
    public String name() {
        return "comparison";
    }

    @Override
    public List<Maker> commands() {
        return List.of(MatrixCommand::new, (console, bench) -> new CompareCommand(console), GateCommand::new);
    }
}
