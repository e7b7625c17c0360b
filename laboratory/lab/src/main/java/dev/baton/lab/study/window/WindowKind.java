package dev.baton.lab.study.window;

import dev.baton.lab.command.MeasuredStudy;
import dev.baton.lab.command.MeasuringCommand;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.reporting.Figure;
import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.lab.reporting.StudyView;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.StudyKind;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.trial.Instruments;
import dev.baton.lab.trial.Workload;
import dev.baton.operations.line.Console;
import java.util.List;
import java.util.function.BiFunction;

/** Sliding windows over keyed state. Stateless, thread-safe. */
public final class WindowKind implements StudyKind, Workload.Source, MeasuredStudy, StudyView {
    @Override
    public String name() {
        return "window";
    }

    @Override
    public Class<WindowStudy> request() {
        return WindowStudy.class;
    }

    @Override
    public Class<WindowFindings> findings() {
        return WindowFindings.class;
    }

    @Override
    public Workload open(Instruments instruments) {
        return WindowWorkload.open(instruments);
    }

    @Override
    public BiFunction<Console, Workbench, MeasuringCommand> command() {
        return WindowCommand::new;
    }

    @Override
    public String title(List<TrialResult> trials) {
        return WindowReport.title(trials.get(0));
    }

    @Override
    public List<Figure> figures() {
        return List.of(
                WindowReport.items(),
                Figure.response(50),
                Figure.response(99),
                Figure.response(99.9),
                Figure.response(99.99),
                Figure.worst(),
                Figure.cpu(),
                Figure.resident());
    }

    @Override
    public List<PublishedSeries> published(TrialPlan plan) {
        return PublishedWindows.series();
    }
}
