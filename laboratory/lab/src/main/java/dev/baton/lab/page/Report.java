package dev.baton.lab.page;

import dev.baton.lab.reporting.Headlines;
import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.reporting.StudyView;
import dev.baton.lab.results.PrivateFile;
import dev.baton.lab.results.ReadExperiment;
import dev.baton.lab.results.ResultReader;
import dev.baton.lab.results.TrialResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** A {@code report.html}: one or more experiments on a page. Stateless, thread-safe. */
public final class Report {
    /** The name of the file in an experiment's folder. */
    public static final String FILE = "report.html";

    /** The largest page; a larger one is made again with less detail. */
    static final int MOST_BYTES = 1_000_000;

    private static final List<String> SCRIPTS = List.of(
            "dom.js",
            "units.js",
            "theme.js",
            "plot.js",
            "legend.js",
            "percentiles.js",
            "timeline.js",
            "heatmap.js",
            "attribution.js",
            "scatter.js",
            "tables.js",
            "report.js");

    private Report() {}

    /** The result of writing a report. @param complaints files that could not be read, one line each */
    public record Written(int trials, List<String> complaints) {}

    /** Reads experiments and writes a page about all of them. @throws IOException when the page cannot be written */
    public static Written write(List<Path> folders, Path page, String version) throws IOException {
        return of(folders.stream().map(ResultReader::read).toList(), page, version);
    }

    /** Writes a page about experiments that are at hand. */
    public static Written of(List<ReadExperiment> read, Path page, String version) throws IOException {
        List<String> complaints = new ArrayList<>();
        PrivateFile.write(page, html(read, page, version, complaints));
        return new Written(read.stream().mapToInt(each -> each.trials().size()).sum(), complaints);
    }

    /** Returns the page with as much detail as fits. */
    private static String html(List<ReadExperiment> read, Path page, String version, List<String> complaints) {
        String html = "";
        for (Detail detail : Detail.LEVELS) {
            complaints.clear();
            ReportData data = data(read, page, version, detail, complaints);
            html = Document.of(data.title() + " - Baton", SCRIPTS, data);
            if (html.getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES) {
                break;
            }
        }
        return html;
    }

    private static ReportData data(
            List<ReadExperiment> read, Path page, String version, Detail detail, List<String> complaints) {
        List<TrialResult> all =
                read.stream().flatMap(each -> each.trials().stream()).toList();
        List<String> headings = ResultTable.headings(all);
        List<ExperimentData> experiments = new ArrayList<>();
        List<String> series = new ArrayList<>();
        List<TrialData> trials = new ArrayList<>();
        List<StudyView.FurtherTable> tables = new ArrayList<>();
        List<String> remarks = new ArrayList<>(Remarks.onSystems(all));
        remarks.addAll(Remarks.onCounts(all));
        remarks.addAll(Remarks.onLateSends(all));
        for (int i = 0; i < read.size(); i++) {
            ReadExperiment experiment = read.get(i);
            List<String> own = new ArrayList<>(experiment.complaints());
            List<TrialResult> shown = new ArrayList<>(experiment.trials());
            Names names = Names.among(experiment.experiment(), shown);
            if (names.isMatrix()) {
                shown.sort(Comparator.comparing(trial -> trial.plan().id()));
            }
            String prefix = read.size() == 1 ? "" : (i + 1) + ": ";
            TrialData.Maker maker = new TrialData.Maker(detail, own);
            for (TrialResult trial : shown) {
                String of = prefix + names.series(trial);
                if (!series.contains(of)) {
                    series.add(of);
                }
                trials.add(maker.of(
                        trial,
                        experiment.folder(),
                        prefix + names.of(trial),
                        i,
                        series.indexOf(of),
                        headings.stream()
                                .map(each -> ResultTable.figure(trial, each))
                                .toList(),
                        names.isDensity()));
            }
            remarks.addAll(Remarks.onOtherProcesses(shown, trial -> prefix + names.of(trial)));
            tables.addAll(tables(shown, trial -> prefix + names.of(trial)));
            experiments.add(ExperimentData.of(experiment, names, own, page));
            complaints.addAll(own);
        }
        remarks.addAll(
                0,
                Headlines.furtherWarnings(
                        experiments.stream()
                                .flatMap(each -> each.answers().stream())
                                .toList(),
                        all));
        return new ReportData(
                experiments.size() == 1 ? experiments.get(0).name() : experiments.size() + " experiments",
                version,
                experiments,
                Curve.points(),
                headings,
                series,
                trials,
                tables,
                new ExperimentData.Elsewhere(
                        PublishedFile.TITLE, PublishedSeries.percentiles(all), PublishedSeries.capacity(all)),
                ThroughputChart.of(read, complaints),
                remarks);
    }

    private static List<StudyView.FurtherTable> tables(List<TrialResult> trials, Function<TrialResult, String> name) {
        return trials.isEmpty()
                ? List.of()
                : StudyView.of(trials.get(0).plan().study()).tables(trials, name);
    }

    /**
     * The amount of data of each trial in a page, so that a page of many trials remains small. Immutable, thread-safe.
     *
     * @param columns of a trial's time line and heat map at most; 0: neither is drawn
     * @param disturbances of a trial at most
     */
    record Detail(int columns, int disturbances) {
        /** The levels of detail, from the finest to the coarsest. */
        static final List<Detail> LEVELS = List.of(
                new Detail(300, 400),
                new Detail(150, 150),
                new Detail(75, 75),
                new Detail(40, 40),
                new Detail(20, 20),
                new Detail(0, 0));
    }

    /**
     * All that a report shows. Immutable, thread-safe.
     *
     * @param points where curves have their values: 1 / (1 - percentile)
     * @param headings of the trials' figures
     * @param series what trials repeat
     * @param tables further ones of the trials' study
     * @param throughput null unless trials differ in it
     * @param remarks on all figures together
     */
    private record ReportData(
            String title,
            String version,
            List<ExperimentData> experiments,
            List<Double> points,
            List<String> headings,
            List<String> series,
            List<TrialData> trials,
            List<StudyView.FurtherTable> tables,
            ExperimentData.Elsewhere elsewhere,
            ThroughputChart throughput,
            List<String> remarks) {}
}
