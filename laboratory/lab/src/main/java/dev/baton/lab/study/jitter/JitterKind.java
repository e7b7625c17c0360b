package dev.baton.lab.study.jitter;

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

/** What stops a thread of this JVM, and for how long. Stateless, thread-safe. */
public final class JitterKind implements StudyKind, Workload.Source, MeasuredStudy, StudyView {
    @Override
    public String name() {
        return "jitter";
    }

    @Override
    public Class<JitterStudy> request() {
        return JitterStudy.class;
    }

    @Override
    public Class<JitterFindings> findings() {
        return JitterFindings.class;
    }

    @Override
    public Workload open(Instruments instruments) {
        return JitterWorkload.open(instruments);
    }

    @Override
    public BiFunction<Console, Workbench, MeasuringCommand> command() {
        return JitterCommand::new;
    }

    @Override
    public String title(List<TrialResult> trials) {
        return JitterReport.title(trials);
    }

    @Override
    public List<Figure> figures() {
        return List.of(
                Figure.response(50),
                Figure.response(99),
                Figure.response(99.9),
                Figure.response(99.99),
                Figure.worst(),
                Figure.cpu());
    }

    @Override
    public List<String> answers(List<TrialResult> trials) {
        return JitterAnswer.sentences(trials);
    }

    @Override
    public List<PublishedSeries> published(TrialPlan plan) {
        return PublishedJitter.series();
    }
}
