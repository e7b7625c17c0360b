package dev.baton.lab.study.window;

import dev.baton.lab.reporting.Figure;
import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.lab.reporting.StudyView;
import dev.baton.lab.reporting.Throughput;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.MeasuredKind;
import java.util.List;

/** Sliding windows over keyed state. Stateless, thread-safe. */
public final class WindowKind extends MeasuredKind implements StudyView {
    public WindowKind() {
        super("window", WindowStudy.class, WindowFindings.class, WindowWorkload::open, WindowCommand::new);
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
    public Throughput throughput(TrialResult trial) {
        return WindowReport.throughput(trial);
    }

    @Override
    public List<PublishedSeries> publishedThroughput() {
        return WindowReport.publishedThroughput();
    }

    @Override
    public List<PublishedSeries> published(TrialPlan plan) {
        return WindowReport.published();
    }
}
