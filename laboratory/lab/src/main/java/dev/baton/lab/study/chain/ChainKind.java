package dev.baton.lab.study.chain;

import dev.baton.lab.command.MeasuredStudy;
import dev.baton.lab.command.MeasuringCommand;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.reporting.Figure;
import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.lab.reporting.StudyView;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.StudyKind;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.trial.ChainWorkload;
import dev.baton.lab.trial.Instruments;
import dev.baton.lab.trial.Workload;
import dev.baton.operations.line.Console;
import java.util.List;
import java.util.function.BiFunction;

/** Chains of services: the study of a plan that names none. Stateless, thread-safe. */
public final class ChainKind implements StudyKind, Workload.Source, MeasuredStudy, StudyView {
    @Override
    public String name() {
        return "chain";
    }

    @Override
    public Workload open(Instruments instruments) {
        return ChainWorkload.open(instruments);
    }

    @Override
    public BiFunction<Console, Workbench, MeasuringCommand> command() {
        return ChainCommand::new;
    }

    @Override
    public String title(List<TrialResult> trials) {
        return ChainReport.title(trials.get(0));
    }

    @Override
    public List<Figure> figures() {
        return List.of(
                Figure.response(50),
                Figure.response(99),
                Figure.response(99.9),
                Figure.worst(),
                Figure.cpu(),
                Figure.resident());
    }

    @Override
    public List<PublishedSeries> published(TrialPlan plan) {
        return PublishedSeries.chains(plan);
    }
}
