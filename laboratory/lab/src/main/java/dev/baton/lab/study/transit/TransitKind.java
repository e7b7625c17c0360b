package dev.baton.lab.study.transit;

import dev.baton.lab.reporting.Figure;
import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.lab.reporting.StudyView;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.MeasuredKind;
import java.util.List;
import java.util.function.Function;

/** One topic between two threads. Stateless, thread-safe. */
public final class TransitKind extends MeasuredKind<TransitStudy> implements StudyView {
    public TransitKind() {
        super("transit", TransitStudy.class, TransitFindings.class, TransitWorkload::open, TransitCommand::new);
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
                TransitTable.timesFloor(50),
                TransitTable.allocated());
    }

    @Override
    public List<String> remarks(List<TrialResult> trials) {
        return TransitRemarks.onReference(trials).stream()
                .map(remark -> remark + ".")
                .toList();
    }

    @Override
    public List<FurtherTable> tables(List<TrialResult> trials, Function<TrialResult, String> name) {
        return TransitTable.floors(trials, name);
    }

    @Override
    public List<PublishedSeries> published(TrialPlan plan) {
        return TransitReport.published(plan);
    }
}
