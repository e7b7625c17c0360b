package dev.baton.lab.study.soak;

import dev.baton.lab.reporting.Figure;
import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.lab.reporting.StudyView;
import dev.baton.lab.request.Study;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.MeasuredKind;
import java.util.List;
import java.util.function.Function;

/** Chains for hours, and what grows meanwhile. Stateless, thread-safe. */
public final class SoakKind extends MeasuredKind<SoakStudy> implements StudyView {
    public SoakKind() {
        super("soak", SoakStudy.class, SoakFindings.class, SoakWorkload::open, SoakCommand::new);
    }

    @Override
    public String title(List<TrialResult> trials) {
        return SoakReport.title(trials.get(0));
    }

    @Override
    public List<Figure> figures() {
        return StudyView.of(Study.CHAINS).figures();
    }

    @Override
    public List<String> answers(List<TrialResult> trials) {
        return trials.stream().map(SoakReport::answer).toList();
    }

    @Override
    public List<FurtherTable> tables(List<TrialResult> trials, Function<TrialResult, String> name) {
        return trials.stream()
                .flatMap(trial -> SoakReport.tables(trial, name.apply(trial)).stream())
                .toList();
    }

    @Override
    public List<PublishedSeries> published(TrialPlan plan) {
        return PublishedSeries.chains(plan);
    }

    @Override
    public TrialResult judged(TrialResult trial) {
        return TrendJudge.judged(trial);
    }
}
