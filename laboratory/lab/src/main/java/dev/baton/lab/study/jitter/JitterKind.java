package dev.baton.lab.study.jitter;

import dev.baton.lab.reporting.Figure;
import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.lab.reporting.StudyView;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.MeasuredKind;
import java.util.List;

/** The study of the stops of a JVM's threads. Stateless, thread-safe. */
public final class JitterKind extends MeasuredKind<JitterStudy> implements StudyView {
    public JitterKind() {
        super("jitter", JitterStudy.class, JitterFindings.class, JitterWorkload::open, JitterCommand::new);
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
        return JitterTable.published();
    }
}
