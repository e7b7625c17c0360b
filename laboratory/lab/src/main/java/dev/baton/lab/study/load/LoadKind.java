package dev.baton.lab.study.load;

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
import dev.baton.operations.terminal.Units;
import java.util.List;
import java.util.function.BiFunction;

/** A fixed number of requests in flight. Stateless, thread-safe. */
public final class LoadKind implements StudyKind, Workload.Source, MeasuredStudy, StudyView {
    @Override
    public String name() {
        return "load";
    }

    @Override
    public Class<LoadStudy> request() {
        return LoadStudy.class;
    }

    @Override
    public Class<LoadFindings> findings() {
        return LoadFindings.class;
    }

    @Override
    public Workload open(Instruments instruments) {
        return LoadWorkload.open(instruments);
    }

    @Override
    public BiFunction<Console, Workbench, MeasuringCommand> command() {
        return LoadCommand::new;
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
        return PublishedMemory.series();
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
