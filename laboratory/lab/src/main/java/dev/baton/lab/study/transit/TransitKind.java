package dev.baton.lab.study.transit;

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

/** One topic between two threads. Stateless, thread-safe. */
public final class TransitKind implements StudyKind, Workload.Source, MeasuredStudy, StudyView {
    @Override
    public String name() {
        return "transit";
    }

    @Override
    public Class<TransitStudy> request() {
        return TransitStudy.class;
    }

    @Override
    public Class<TransitFindings> findings() {
        return TransitFindings.class;
    }

    @Override
    public Workload open(Instruments instruments) {
        return TransitWorkload.open(instruments);
    }

    @Override
    public BiFunction<Console, Workbench, MeasuringCommand> command() {
        return TransitCommand::new;
    }

    @Override
    public String title(List<TrialResult> trials) {
        return TransitReport.title(trials.get(0).plan());
    }

    @Override
    public List<Figure> figures() {
        return List.of(
                Figure.response(50),
                Figure.response(99),
                Figure.response(99.9),
                Figure.response(99.99),
                Figure.worst(),
                TransitFigures.timesFloor(50),
                TransitFigures.allocated());
    }

    @Override
    public List<String> remarks(List<TrialResult> trials) {
        return TransitRemarks.onReference(trials).stream()
                .map(remark -> remark + ".")
                .toList();
    }

    @Override
    public List<PublishedSeries> published(TrialPlan plan) {
        return plan.subject().transport().equals(PublishedTransit.TRANSPORT) ? PublishedTransit.series() : List.of();
    }
}
