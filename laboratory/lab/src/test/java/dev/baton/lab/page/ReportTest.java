package dev.baton.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.request.Limit;
import dev.baton.lab.results.Headline;
import dev.baton.lab.results.Json;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages made from folders. */
class ReportTest {
    @TempDir
    private Path temporary;

    @Test
    void pageContainsFiguresAndRequestsNothing() throws IOException {
        Path folder = Folders.begin(temporary, "chain-1");
        TrialResult trial = Folders.trial(folder, "plain", "plain", new Folders.Kind());
        Folders.end(folder, "chain", "--quick");
        String html = write(folder);
        assertThat(html)
                .contains("default-src 'none'", "script-src 'sha256-", "\"./baton chain --quick\"", "selftest-1")
                .contains("\"nanos\":" + trial.response().at(99).nanos())
                .doesNotContain("<link", " src=", "@import", "url(");
    }

    @Test
    void aPageOfExploratoryTrialsIsProvisional() throws IOException {
        Path folder = Folders.begin(temporary, "chain-1");
        Folders.Kind kind = new Folders.Kind();
        kind.isProvisional = true;
        Folders.trial(folder, "plain", "plain", kind);
        Folders.end(folder, "chain", "--quick");
        String remark = "provisional (--quick): short trials, do not quote their figures";
        assertThat(write(folder))
                .contains("\"P" + remark.substring(1) + ".\"")
                .doesNotContain("\"" + remark + "\""); // once
    }

    @Test
    void matrixInterruptedInItsFirstTrialHasAPage() throws IOException {
        Path folder = Folders.begin(temporary, "matrix-1");
        Folders.Kind kind = new Folders.Kind();
        kind.verdict = Verdict.INTERRUPTED;
        Folders.trial(folder, "01.1-g1-plain", "plain", kind);
        Folders.end(folder, "matrix", "x.yaml");
        assertThat(write(folder)).contains("\"verdict\":\"INTERRUPTED\"");
    }

    @Test
    void aPageOfOtherTrialsIsNotProvisional() throws IOException {
        Path folder = Folders.begin(temporary, "chain-1");
        Folders.trial(folder, "plain", "plain", new Folders.Kind());
        Folders.end(folder, "chain");
        assertThat(write(folder)).doesNotContain("exploratory trials").contains("include the warm-up");
    }

    @Test
    void galleryStatesTheCpuOfIdleChains() throws IOException {
        Path folder = Folders.begin(temporary, "chain-1");
        Folders.Kind kind = new Folders.Kind();
        kind.perSecond = 0;
        Folders.trial(folder, "kafka", "kafka", kind);
        Folders.end(folder, "idle");
        Path index = temporary.resolve(Gallery.FILE);
        Gallery.write(temporary, index, "1.0");
        assertThat(Files.readString(index))
                .contains("CPU 12.5 %, broker CPU 31.0 %")
                .doesNotContain("nothing was recorded");
    }

    @Test
    void curveHasHistogramValuesAndEndsWithMaximum() {
        Histogram histogram = new Histogram(3);
        for (int i = 1; i <= 100_000; i++) {
            histogram.recordValue(i);
        }
        List<Long> curve = Curve.of(histogram);
        assertThat(curve.get(Curve.points().indexOf(2.0))).isEqualTo(histogram.getValueAtPercentile(50));
        assertThat(curve.get(Curve.points().indexOf(10.0))).isEqualTo(histogram.getValueAtPercentile(90));
        assertThat(curve.get(Curve.points().indexOf(1000.0))).isEqualTo(histogram.getValueAtPercentile(99.9));
        assertThat(curve.get(curve.size() - 1)).isEqualTo(histogram.getMaxValue());
        assertThat(curve).isSorted();
    }

    @Test
    void olderFileIsReadFromItsLog() throws IOException {
        Path folder = Folders.begin(temporary, "chain-1");
        Folders.Kind kind = new Folders.Kind();
        TrialResult whole = Folders.trial(folder, "plain", "plain", kind);
        Histogram kept = new Recorded(folder, whole).responses();
        kind.hasWhole = false;
        TrialResult older = Folders.trial(folder, "plain", "plain", kind);
        assertThat(new Recorded(folder, older).responses().getTotalCount()).isEqualTo(30_000);
        assertThat(Curve.of(new Recorded(folder, older).responses())).isEqualTo(Curve.of(kept));
    }

    @Test
    void longTrialIsMergedIntoFewColumns() throws IOException {
        Path folder = Folders.begin(temporary, "chain-1");
        Folders.Kind kind = new Folders.Kind();
        kind.seconds = 90;
        TrialResult trial = Folders.trial(folder, "plain", "plain", kind);
        HeatMap heat = HeatMap.of(new Recorded(folder, trial), 2, 45);
        long counted = heat.columns().stream()
                .flatMap(column -> column.stream().skip(1))
                .mapToLong(Long::longValue)
                .sum();
        assertThat(counted).isEqualTo(90_000);
        TimeLine line = TimeLine.of(trial.timeline(), 2, heat);
        assertThat(line.end()).hasSize(45);
        assertThat(line.isWorstSecond()).isFalse();
        assertThat(line.p50()).isEqualTo(heat.p50());
        assertThat(TimeLine.of(trial.timeline(), 2, null).isWorstSecond()).isTrue();
    }

    @Test
    void unreadableFilesAreNamedOthersShown() throws IOException {
        Path folder = Folders.begin(temporary, "chain-1");
        Folders.trial(folder, "good", "plain", new Folders.Kind());
        Folders.trial(folder, "bad", "plain", new Folders.Kind());
        Folders.end(folder, "chain");
        Files.writeString(folder.resolve("bad.trial.json"), "{\"schema\": 1, ");
        Report.Written written = Report.write(List.of(folder), folder.resolve(Report.FILE), "1.0");
        assertThat(written.trials()).isEqualTo(1);
        assertThat(written.complaints()).anyMatch(complaint -> complaint.contains("bad.trial.json"));
        assertThat(Files.readString(folder.resolve(Report.FILE))).contains("bad.trial.json", "\"name\":\"plain\"");
    }

    @Test
    void hostileNamesAreEscaped() throws IOException {
        Path folder = Folders.begin(temporary, "chain-1");
        Folders.Kind kind = new Folders.Kind();
        kind.hostile = Folders.HOSTILE;
        Folders.trial(folder, "plain", "plain", kind);
        Folders.end(folder, "chain", Folders.HOSTILE);
        String html = write(folder);
        String data = html.substring(html.indexOf("id=\"data\">") + 10);
        data = data.substring(0, data.indexOf("</script>"));
        assertThat(data).endsWith("}").contains("\\u003cimg src=x").doesNotContain("<", ">", "\u202e", "\u2028");
    }

    @Test
    @Tag("slow")
    void fiftyTrialsFitIntoAMegabyte() throws IOException {
        Path folder = fifty(temporary);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean(); // what other processes take does not count
        long begun = threads.getCurrentThreadCpuTime();
        Report.write(List.of(folder), folder.resolve(Report.FILE), "1.0");
        Duration taken = Duration.ofNanos(threads.getCurrentThreadCpuTime() - begun);
        assertThat(Files.size(folder.resolve(Report.FILE))).isLessThanOrEqualTo(1_000_000);
        assertThat(taken).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void matrixIsRebuiltFromItsFiles() throws IOException {
        Path folder = Folders.begin(temporary, "matrix-1");
        for (int round = 1; round <= 2; round++) {
            Folders.Kind fast = new Folders.Kind();
            Folders.Kind slow = new Folders.Kind();
            slow.medianNanos = 700_000;
            Folders.trial(folder, "01." + round + "-g1-plain", "plain", fast);
            Folders.trial(folder, "02." + round + "-zgc-plain", "plain", slow);
            Folders.trial(folder, "03." + round + "-g1-plain-again", "plain", fast);
        }
        Folders.end(folder, "matrix", "x.yaml");
        String html = write(folder);
        assertThat(html)
                .contains("p50, best: g1-plain", "\"rank\":\"worse\",\"times\":1")
                .contains("Identical trials (the first row and its repetition) ranged over p50");
        assertThat(html).containsPattern("\"rank\":\"\",\"times\":null,\"hasFewSamples\":true");
    }

    @Test
    void matrixOfSeveralLoadsIsTitledByItsCommand() throws IOException {
        Path folder = Folders.begin(temporary, "matrix-1");
        Folders.Kind kind = new Folders.Kind();
        Folders.trial(folder, "01.1-slow-plain", "plain", kind);
        kind.perSecond = 2_000;
        Folders.trial(folder, "02.1-fast-plain", "plain", kind);
        Folders.end(folder, "matrix", "x.yaml");
        assertThat(write(folder)).contains("\"asked\":\"./baton matrix x.yaml\"");
    }

    @Test
    void trialsOfAdviseAreNamedByTheirSettings() throws IOException {
        Path folder = Folders.begin(temporary, "advise-1");
        Folders.trial(folder, "e001-plain-cooperative-1", "plain", new Folders.Kind());
        Folders.trial(folder, "e002-plain-cooperative-1", "plain", new Folders.Kind());
        Folders.end(folder, "advise");
        assertThat(write(folder)).contains("\"plain, cooperative:1, G1, trial e001\"", "\"plain, cooperative:1, G1\"");
    }

    @Test
    void capacitySearchHasCurveWithPublishedFigures() throws IOException {
        Path folder = Folders.begin(temporary, "density-1");
        for (int instances : new int[] {1, 4, 16}) {
            Folders.Kind kind = new Folders.Kind();
            kind.instances = instances;
            kind.limits = Limit.parse("p99.9<100ms");
            Folders.trial(folder, "00" + instances + "-chronicle", "chronicle", kind);
        }
        Folders.end(folder, "density");
        Folders.costs(folder);
        assertThat(write(folder))
                .contains("\"costs\":[{\"name\":\"chronicle, baton\",\"chains\":16,\"cores\":2,")
                .contains("\"capacity\":{\"instances\":16,", "chronicle elsewhere", "not ranked", "Cost by 99%");
    }

    @Test
    void provisionalVerdictsAreMarkedOnPages() throws IOException {
        Path folder = Folders.begin(temporary, "density-1");
        Folders.Kind kind = new Folders.Kind();
        kind.limits = List.of(new Limit(99.9, 100_000_000).judgedOn(10));
        Folders.trial(folder, "001-chronicle", "chronicle", kind);
        kind.limits = Limit.parse("p99.9<100ms");
        Folders.trial(folder, "002-chronicle", "chronicle", kind);
        Folders.end(folder, "density");
        assertThat(write(folder)).contains("\"PASS (provisional)\"", "\"PASS\"");
    }

    @Test
    void windowsHaveAThroughputChart() throws IOException {
        assertThat(write(Folders.windows(temporary)))
                .contains(
                        "\"throughput\":{\"unit\":\"items/s, in and out\",\"percentile\":99.99,\"series\":[\"plain boxed, 1 loop")
                .containsPattern(
                        "\"itemsPerSecond\":501000.0,\"nanos\":1000\\d{3},\"hasFewSamples\":false,\"trials\":2,"
                                + "\"count\":1000000,\"isFailed\":false,\"isDoubtful\":false")
                .containsPattern("\"itemsPerSecond\":2001000.0,\"nanos\":20\\d{6},\"hasFewSamples\":true,\"trials\":1,")
                .contains("ZGC, JDK 15-ea33, c5.4xlarge elsewhere", "[1.0E7,1.0E7]");
    }

    @Test
    void inconclusiveLoadsAreMarkedInTheChart() throws IOException {
        Path folder = Folders.begin(temporary, "chain-1");
        Folders.Kind kind = new Folders.Kind();
        Folders.trial(folder, "plain-20pct", "plain", kind);
        kind.perSecond = 2_000;
        kind.verdict = Verdict.INCONCLUSIVE;
        Folders.trial(folder, "plain-40pct", "plain", kind);
        Folders.end(folder, "chain", "--curve", "20%..40%");
        assertThat(write(folder))
                .containsPattern("\"itemsPerSecond\":1000.0,[^}]*\"isDoubtful\":false")
                .containsPattern("\"itemsPerSecond\":2000.0,[^}]*\"isDoubtful\":true");
    }

    @Test
    void pausesOutsideTheWindowAreOmitted() throws IOException {
        Path folder = Folders.begin(temporary, "chain-1");
        Folders.Kind kind = new Folders.Kind();
        kind.seconds = 4; // a stall of the machine began in second 5
        Folders.trial(folder, "plain", "plain", kind);
        Folders.end(folder, "chain");
        assertThat(write(folder))
                .contains("{\"kind\":\"gc\",\"startNanos\":2000000000,\"nanos\":4000000,")
                .doesNotContain("{\"kind\":\"host\"");
    }

    @Test
    void galleryRewritesPagesOlderThanTheirExperiment() throws IOException {
        Path folder = Folders.begin(temporary, "chain-1");
        Folders.trial(folder, "plain", "plain", new Folders.Kind());
        Folders.end(folder, "chain");
        Path page = folder.resolve(Report.FILE);
        Files.writeString(page, "while it ran");
        Files.setLastModifiedTime(page, FileTime.fromMillis(0));
        Gallery.write(temporary, temporary.resolve(Gallery.FILE), "1.0");
        assertThat(page).content().contains("./baton chain");
    }

    @Test
    void galleryListsRunsWithoutTrials() throws IOException {
        Path folder = Folders.begin(temporary, "chaos-1");
        Json.write(folder.resolve(Headline.FILE), new Headline("Faults under load", List.of("PASS: 2 faults.")));
        Folders.end(folder, "chaos");
        Path index = temporary.resolve(Gallery.FILE);
        Gallery.write(temporary, index, "1.0");
        assertThat(index).content().contains("\"report\":\"\"", "Faults under load", "PASS: 2 faults.");
        assertThat(folder.resolve(Report.FILE)).doesNotExist();
    }

    @Test
    void trialsOfOneThroughputHaveNone() throws IOException {
        Path folder = Folders.begin(temporary, "chain-1");
        Folders.trial(folder, "plain", "plain", new Folders.Kind());
        Folders.end(folder, "chain");
        assertThat(write(folder)).contains("\"throughput\":null");
    }

    /** A matrix of 50 trials of a minute each. */
    static Path fifty(Path above) throws IOException {
        Path folder = Folders.begin(above, "matrix-fifty");
        Folders.Kind kind = new Folders.Kind();
        kind.seconds = 60;
        kind.perSecond = 300;
        kind.limits = Limit.parse("p99.9<100ms");
        for (int row = 1; row <= 10; row++) {
            for (int round = 1; round <= 5; round++) {
                kind.medianNanos = 50_000L * row;
                Folders.trial(folder, String.format("%02d.%d-row%d-plain", row, round, row), "plain", kind);
            }
        }
        Folders.end(folder, "matrix", "fifty.yaml");
        return folder;
    }

    private static String write(Path folder) throws IOException {
        Path page = folder.resolve(Report.FILE);
        assertThat(Report.write(List.of(folder), page, "1.0").complaints()).isEmpty();
        return Files.readString(page);
    }
}
