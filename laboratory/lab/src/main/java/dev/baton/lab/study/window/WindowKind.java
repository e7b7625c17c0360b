package dev.baton.lab.study.window;

import dev.baton.lab.reporting.Figure;
import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.lab.reporting.StudyView;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.study.MeasuredKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sliding windows over keyed state. Stateless, thread-safe. */
public final class WindowKind extends MeasuredKind<WindowStudy> implements StudyView {
    private static final double NANOS_PER_MILLI = 1e6;

    public WindowKind() {
        super("window", WindowStudy.class, WindowStudy.WindowFindings.class, WindowWorkload::open, WindowCommand::new);
    }

    @Override
    public String title(List<TrialResult> trials) {
        return WindowReport.title(trials.get(0));
    }

    @Override
    public List<Figure> figures() {
        return List.of(
                new Figure(
                        "items/s", // that were carried, input and output
                        trial -> trial.rate().achievedPerSecond(),
                        WindowTable::millions,
                        false,
                        trial -> false),
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
        TrialPlan plan = trial.plan();
        return new Throughput(
                WindowTable.Names.job(plan) + ", " + WindowReport.jvm(trial),
                WindowStudy.itemsPerSecond(plan),
                "items/s, in and out",
                99.99,
                WindowTable.study(trial).shown());
    }

    /** {@return the published statements about throughput} */
    @Override
    public List<PublishedSeries> publishedThroughput() {
        Map<String, List<List<Double>>> series = new LinkedHashMap<>();
        for (String[] row : PublishedFile.rows(WindowReport.FILE)) {
            if (!row[7].isEmpty() && !row[8].isEmpty()) {
                series.computeIfAbsent(
                                row[4] + ", JDK " + row[3] + ", " + row[1] + " elsewhere", name -> new ArrayList<>())
                        .add(List.of(Double.valueOf(row[7]), Double.parseDouble(row[8]) * NANOS_PER_MILLI));
            }
        }
        return series.entrySet().stream()
                .map(each -> new PublishedSeries(each.getKey(), each.getValue(), WindowReport.PUBLISHED_BY))
                .toList();
    }

    @Override
    public List<PublishedSeries> published(TrialPlan plan) {
        return PublishedFile.rows(WindowReport.FILE).stream()
                .filter(row -> !row[8].isEmpty())
                .map(row -> new PublishedSeries(
                        row[4] + ", JDK " + row[3] + ", " + row[1]
                                + (row[7].isEmpty()
                                        ? ""
                                        : ", " + WindowTable.millions(Double.parseDouble(row[7])) + " items/s")
                                + " elsewhere",
                        List.of(PublishedSeries.millis(99.99, row[8])),
                        WindowReport.PUBLISHED_BY))
                .toList();
    }
}
