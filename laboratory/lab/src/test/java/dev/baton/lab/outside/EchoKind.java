package dev.baton.lab.outside;

import dev.baton.lab.command.MeasuredStudy;
import dev.baton.lab.command.MeasuringCommand;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.reporting.Figure;
import dev.baton.lab.reporting.StudyView;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.trial.Workload;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.operations.line.Console;
import java.util.List;
import java.util.function.BiFunction;

/** A study that the laboratory does not come with: this folder, and one line in {@code META-INF/services}. */
public final class EchoKind implements Workload.OfStudy, MeasuredStudy, StudyView {
    @Override
    public String name() {
        return "echo";
    }

    @Override
    public Class<EchoStudy> request() {
        return EchoStudy.class;
    }

    @Override
    public Class<EchoFindings> findings() {
        return EchoFindings.class;
    }

    @Override
    public Workload open(Instruments instruments) {
        return new EchoWorkload(instruments);
    }

    @Override
    public BiFunction<Console, Workbench, MeasuringCommand> command() {
        return EchoCommand::new;
    }

    @Override
    public String title(List<TrialResult> trials) {
        return "what is heard when something is said";
    }

    @Override
    public List<Figure> figures() {
        return List.of(Figure.response(50));
    }
}
