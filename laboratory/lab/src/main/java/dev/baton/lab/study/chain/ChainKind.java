package dev.baton.lab.study.chain;

import dev.baton.lab.reporting.Figure;
import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.lab.reporting.StudyView;
import dev.baton.lab.reporting.TrialNames;
import dev.baton.lab.request.Study;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.MeasuredKind;
import dev.baton.lab.trial.ChainWorkload;
import java.util.List;

/** The study of chains of services. Stateless, thread-safe. */
public final class ChainKind extends MeasuredKind<Study.ChainStudy> implements StudyView {
    public ChainKind() {
        super(
                "chain",
                Study.ChainStudy.class,
                null,
                (instruments, study) -> ChainWorkload.open(instruments),
                ChainCommand::new);
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
                Figure.resident(),
                Figure.rate());
    }

    @Override
    public Throughput throughput(TrialResult trial) {
        TrialPlan plan = trial.plan();
        boolean isAtRate = !plan.load().isSaturated() && !plan.load().isNone();
        return isAtRate
                ? new Throughput(
                        TrialNames.of(plan), plan.load().ratePerSecond(), "msg/s into each chain", 99, plan.limits())
                : null;
    }

    @Override
    public List<PublishedSeries> published(TrialPlan plan) {
        return PublishedSeries.chains(plan);
    }
}
