package dev.baton.lab.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FixedResults;
import dev.baton.operations.settings.Checksum;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResultReaderTest {
    @TempDir
    Path directory;

    private ResultFolder folder;

    @BeforeEach
    void twoTrials() throws IOException {
        folder = new ResultFolder(directory);
        trial("disruptor");
        trial("chronicle");
        experiment(entry("disruptor"), entry("chronicle"));
    }

    @Test
    void completeFolderIsReadWithoutComplaint() {
        ReadExperiment read = ResultReader.read(directory);
        assertThat(read.complaints()).isEmpty();
        assertThat(read.experiment().trials()).hasSize(2);
        assertThat(ids(read)).containsExactly("disruptor", "chronicle");
        assertThat(read.trials()).allMatch(trial -> trial.hlog() != null);
    }

    @Test
    void missingFolderIsAComplaint() {
        ReadExperiment read = ResultReader.read(directory.resolve("none"));
        assertThat(read.complaints()).singleElement().asString().contains("there is no folder ", "none");
        assertThat(read.experiment()).isNull();
        assertThat(read.trials()).isEmpty();
    }

    @Test
    void missingTrialIsNamedOthersRead() throws IOException {
        Files.delete(folder.trialFile("disruptor"));
        ReadExperiment read = ResultReader.read(directory);
        assertThat(read.complaints()).singleElement().asString().endsWith("disruptor.trial.json is missing");
        assertThat(ids(read)).containsExactly("chronicle");
    }

    @Test
    void aChangedTrialIsNamedAndLeftOut() throws IOException {
        Path file = folder.trialFile("disruptor");
        Files.writeString(file, Files.readString(file).replace("5000", "4000"));
        ReadExperiment read = ResultReader.read(directory);
        assertThat(read.complaints())
                .singleElement()
                .asString()
                .contains("disruptor.trial.json was changed after it was written");
        assertThat(ids(read)).containsExactly("chronicle");
    }

    @Test
    void truncatedTrialIsNamedAndOmitted() throws IOException {
        experiment(without("disruptor"), without("chronicle"));
        Path file = folder.trialFile("disruptor");
        String text = Files.readString(file);
        Files.writeString(file, text.substring(0, text.length() / 2));
        ReadExperiment read = ResultReader.read(directory);
        assertThat(read.complaints())
                .singleElement()
                .asString()
                .contains("disruptor.trial.json is not a TrialResult: ");
        assertThat(ids(read)).containsExactly("chronicle");
    }

    /** What a person reads of a file that is damaged: what is wrong with it, not how the parser came by it. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    null                             | is not a TrialResult: it contains null
                    LATIN-1                          | is not text in UTF-8
                    {                                | is not a TrialResult: Unexpected end-of-input
                    {"response": {"percentiles": [{"percentile": -50}]}} | percentile -50.0 of null ns
                    []                               | is not a TrialResult: it is not an object
                    7                                | it is not an object
                    {"timeline": {"a": 1}}           | 'timeline' is not a list
                    {"delivery": {"sent": "many"}}   | 'delivery.sent' is not a number
                    {"delivery": {"incidents": [7]}} | 'delivery.incidents[0]' is not an object
                    {"outcome": {"verdict": "good"}} | 'outcome.verdict' is not one of pass, fail, inconclusive, interrupted
                    {"findings": {"kind": "odd"}}    | 'findings' is of the kind 'odd', which is unknown
                    {}                               | it has no 'plan'
                    """)
    void damagedTrialIsDescribedWithoutParserTerms(String content, String complaint) throws IOException {
        experiment(without("disruptor"), without("chronicle"));
        String text = content.equals("LATIN-1") ? "\u00ff" : content;
        Files.write(folder.trialFile("disruptor"), text.getBytes(StandardCharsets.ISO_8859_1));
        assertThat(ResultReader.read(directory).complaints())
                .singleElement()
                .asString()
                .contains("disruptor.trial.json", complaint)
                .doesNotContain(
                        "REDACTED", "MalformedInput", " a Experiment", "Source:", "java.", "dev.baton", "Token");
    }

    @Test
    void trialOfNewerVersionIsOmitted() throws IOException {
        experiment(without("disruptor"), without("chronicle"));
        Path file = folder.trialFile("disruptor");
        Files.writeString(file, Files.readString(file).replace("\"schema\" : 1", "\"schema\" : 7"));
        ReadExperiment read = ResultReader.read(directory);
        assertThat(read.complaints())
                .singleElement()
                .asString()
                .contains("disruptor.trial.json has schema version 7; this version of Baton reads 1 to 1");
        assertThat(ids(read)).containsExactly("chronicle");
    }

    @Test
    void incompleteTrialIsNamedAndOmitted() throws IOException {
        experiment(without("disruptor"), without("chronicle"));
        Path file = folder.trialFile("disruptor");
        Files.writeString(file, Files.readString(file).replace("\"response\" :", "\"answer\" :"));
        ReadExperiment read = ResultReader.read(directory);
        assertThat(read.complaints()).singleElement().asString().endsWith("it has no 'response'");
        assertThat(ids(read)).containsExactly("chronicle");
    }

    @ParameterizedTest
    @CsvSource({"50.0, -50.0", "99.0, 100.5", "99.9, -1e300"})
    void impossiblePercentileOmitsItsTrial(String percentile, String damaged) throws IOException {
        experiment(without("disruptor"), without("chronicle"));
        Path file = folder.trialFile("disruptor");
        String text = Files.readString(file);
        assertThat(text).contains("\"percentile\" : " + percentile);
        Files.writeString(file, text.replace("\"percentile\" : " + percentile, "\"percentile\" : " + damaged));
        ReadExperiment read = ResultReader.read(directory);
        assertThat(read.complaints())
                .singleElement()
                .asString()
                .contains("disruptor.trial.json", "percentile " + Double.parseDouble(damaged))
                .doesNotContain("Exception", "\n");
        assertThat(ids(read)).containsExactly("chronicle");
    }

    @Test
    void trialWithBadLogIsReadWithoutIt() throws IOException {
        experiment(entry("disruptor"), without("chronicle"));
        Files.writeString(folder.intervalFile("disruptor"), "#\n");
        Files.writeString(folder.intervalFile("chronicle"), "0.000,1.000,0.123,nonsense\n");
        ReadExperiment read = ResultReader.read(directory);
        assertThat(ids(read)).containsExactly("disruptor", "chronicle");
        assertThat(read.trials()).allMatch(trial -> trial.hlog() == null);
        assertThat(read.complaints()).hasSize(2);
        assertThat(read.complaints().get(0)).contains("disruptor.hlog was changed after it was written");
        assertThat(read.complaints().get(1)).contains("chronicle.hlog is not an interval log");

        Files.delete(folder.intervalFile("disruptor"));
        assertThat(ResultReader.read(directory).complaints().get(0)).endsWith("disruptor.hlog is missing");
    }

    @Test
    void trialWithBadHistogramIsReadWithoutIt() throws IOException {
        experiment(without("disruptor"), without("chronicle"));
        Path file = folder.trialFile("disruptor");
        String text = Files.readString(file);
        assertThat(text).contains("\"histograms\" : null");
        Files.writeString(
                file, text.replace("\"histograms\" : null", "\"histograms\" : {\"response\" : \"H4sIAAAAAAAA\"}"));

        ReadExperiment read = ResultReader.read(directory);

        assertThat(read.complaints())
                .singleElement()
                .asString()
                .contains("disruptor.trial.json: a histogram cannot be decoded: not a compressed histogram");
        assertThat(ids(read)).containsExactly("disruptor", "chronicle");
        assertThat(read.trials().get(0).histograms()).isNull();
    }

    @Test
    void unreadableExperimentShowsItsTrials() throws IOException {
        Files.copy(folder.trialFile("disruptor"), folder.trialFile("disruptor-p1"));
        for (String broken : List.of("", "{", "null", "[]", "{\"schema\":1}", "\u0000", "{\"schema\":2}")) {
            Files.writeString(folder.experimentFile(), broken);
            ReadExperiment read = ResultReader.read(directory);
            assertThat(read.experiment()).as(broken).isNull();
            assertThat(ids(read)).as(broken).containsExactly("chronicle", "disruptor");
            assertThat(read.complaints()).as(broken).singleElement().asString().contains("experiment.json");
        }
        Files.delete(folder.experimentFile());
        assertThat(ResultReader.read(directory).complaints())
                .singleElement()
                .asString()
                .contains("experiment.json is missing");
    }

    /** The file that the experiment names is one of its trials, whatever its id was made. */
    @Test
    void idOutsideTheFolderIsAComplaint() throws IOException {
        experiment(
                new Experiment.Entry("../", "disruptor.trial.json", new Outcome(Verdict.PASS, List.of()), null, null),
                without("chronicle"));
        Path file = folder.trialFile("disruptor");
        String text = Files.readString(file);
        assertThat(text).contains("\"id\" : \"disruptor\"");
        Files.writeString(file, text.replace("\"id\" : \"disruptor\"", "\"id\" : \"../\""));

        ReadExperiment read = ResultReader.read(directory);

        assertThat(read.complaints()).singleElement().asString().contains("trial id '../'");
        assertThat(ids(read)).containsExactly("chronicle");
    }

    @Test
    void fileOutsideTheFolderIsNotFollowed() throws IOException {
        for (String name : List.of("../x.trial.json", "/etc/passwd", "..", "", "a\\b")) {
            experiment(new Experiment.Entry("disruptor", name, null, Map.of(), null), entry("chronicle"));
            ReadExperiment read = ResultReader.read(directory);
            assertThat(read.complaints()).as(name).singleElement().asString().contains("which is not in its folder");
            assertThat(ids(read)).containsExactly("chronicle");
        }
    }

    @Test
    void unlistedTrialIsOmitted() throws IOException {
        trial("stranger");
        ReadExperiment read = ResultReader.read(directory);
        assertThat(read.complaints())
                .singleElement()
                .asString()
                .contains("stranger.trial.json is not a trial of this experiment");
        assertThat(ids(read)).containsExactly("disruptor", "chronicle");
    }

    @Test
    void filesOfSharingProcessesAreChecked() throws IOException {
        trial("disruptor-p1");
        Map<String, String> checksums = new HashMap<>(entry("disruptor").checksums());
        checksums.putAll(entry("disruptor-p1").checksums());
        experiment(
                new Experiment.Entry("disruptor", "disruptor.trial.json", null, checksums, null), entry("chronicle"));
        assertThat(ResultReader.read(directory).complaints()).isEmpty();

        Files.writeString(folder.intervalFile("disruptor-p1"), "");
        Files.delete(folder.trialFile("disruptor-p1"));
        assertThat(ResultReader.read(directory).complaints())
                .hasSize(2)
                .anyMatch(each -> each.contains("disruptor-p1.hlog was changed"))
                .anyMatch(each -> each.endsWith("disruptor-p1.trial.json is missing"));
    }

    private void trial(String id) throws IOException {
        folder.write(FixedResults.passed(id, 1_000));
        Histogram histogram = new Histogram(3);
        histogram.recordValue(123_456);
        try (IntervalLog log = IntervalLog.create(folder.intervalFile(id), id, 1_700_000_000_000L)) {
            log.add(null, 0, 1_000_000_000, histogram);
            log.publish();
        }
    }

    private Experiment.Entry entry(String id) throws IOException {
        Path trial = folder.trialFile(id);
        Path log = folder.intervalFile(id);
        return new Experiment.Entry(
                id,
                trial.getFileName().toString(),
                new Outcome(Verdict.PASS, List.of()),
                Map.of(
                        trial.getFileName().toString(), Checksum.of(trial),
                        log.getFileName().toString(), Checksum.of(log)),
                null);
    }

    private static Experiment.Entry without(String id) {
        return new Experiment.Entry(id, id + ".trial.json", new Outcome(Verdict.PASS, List.of()), null, null);
    }

    private void experiment(Experiment.Entry... entries) throws IOException {
        folder.write(new Experiment(
                Experiment.SCHEMA,
                List.of("chain"),
                "2026-01-01T00:00:00Z",
                "2026-01-01T00:01:00Z",
                1,
                null,
                "0.1.0",
                null,
                null,
                null,
                List.of(entries)));
    }

    private static List<String> ids(ReadExperiment read) {
        return read.trials().stream().map(trial -> trial.plan().id()).toList();
    }
}
