package dev.baton.lab.study.load;

import dev.baton.lab.reporting.Figure;
import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.lab.reporting.StudyView;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.MeasuredKind;
import dev.baton.operations.terminal.Units;
import java.util.List;

/** A fixed number of requests in flight. Stateless, thread-safe. */
public final class LoadKind extends MeasuredKind<LoadStudy> implements StudyView {
    public LoadKind() {
        super("load", LoadStudy.class, LoadFindings.class, LoadWorkload::of, LoadCommand::new);
    }

    @Override
    public String title(List<TrialResult> trials) {
        return LoadReport.title(trials.get(0));
    }

    @Override
    public List<Figure> figures() {
        return List.of(
                Figure.rate(), Figure.response(50), Figure.response(99), Figure.worst(), Figure.cpu(), peakResident());
    }

    @Override
    public List<PublishedSeries> published(TrialPlan plan) {
        return LoadReport.isLikePublished(plan) ? LoadReport.published() : List.of();
    }

    /** The most memory that was resident at any time. */
    private static Figure peakResident() {
        return new Figure("peak RSS", LoadKind::peakResidentBytes, Units::bytes, true, trial -> false);
    }

    private static Double peakResidentBytes(TrialResult trial) {
        return trial.findings() instanceof LoadFindings load && load.peakResidentBytes() != null
                ? Double.valueOf(load.peakResidentBytes())
                : null;
    }
}
