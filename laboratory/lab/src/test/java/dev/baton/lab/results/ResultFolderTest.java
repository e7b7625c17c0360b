package dev.baton.lab.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFolderTest {
    @TempDir
    Path directory;

    private static final Experiment EXPERIMENT = new Experiment(
            Experiment.SCHEMA,
            List.of("chain", "--rate", "1000"),
            "2026-01-01T00:00:00Z",
            null,
            1,
            new Experiment.Revision("abc", true),
            "0.1.0",
            null,
            null,
            null,
            List.of(new Experiment.Entry("disruptor-1", null, new Outcome(Verdict.PASS, List.of()), Map.of(), null)));

    @Test
    void experimentRoundTripsThroughPrivateFile() throws IOException {
        ResultFolder folder = new ResultFolder(directory);
        folder.write(EXPERIMENT);
        folder.write(EXPERIMENT);

        assertThat(folder.readExperiment()).isEqualTo(EXPERIMENT);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.experimentFile())))
                .isEqualTo("rw-------");
        assertThat(directory).isDirectoryContaining("glob:**/experiment.json");
        assertThat(directory.toFile().list()).hasSize(1);
    }

    @Test
    void aFileThatCannotBeReadIsNamed() throws IOException {
        ResultFolder folder = new ResultFolder(directory);
        assertThatThrownBy(() -> ResultFolder.readTrial(folder.trialFile("x"))).hasMessageContaining("x.trial.json");

        Files.writeString(folder.trialFile("x"), "{\"schema\":1,");
        assertThatThrownBy(() -> ResultFolder.readTrial(folder.trialFile("x")))
                .hasMessageContaining("x.trial.json is not a TrialResult");

        folder.write(EXPERIMENT);
        String newer = Files.readString(folder.experimentFile()).replace("\"schema\" : 1", "\"schema\" : 2");
        Files.writeString(folder.experimentFile(), newer);
        assertThatThrownBy(folder::readExperiment)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("experiment.json has schema version 2; this version of Baton reads 1 to 1");
    }

    @Test
    void propertiesOfANewerVersionAreIgnored() throws IOException {
        ResultFolder folder = new ResultFolder(directory);
        folder.write(EXPERIMENT);
        String newer = Files.readString(folder.experimentFile()).replace("\"seed\" : 1", "\"seed\" : 1, \"mood\" : 2");
        Files.writeString(folder.experimentFile(), newer);

        assertThat(folder.readExperiment()).isEqualTo(EXPERIMENT);
    }

    @Test
    void intervalLogIsReadableByHdrHistogram() throws IOException {
        Path file = directory.resolve("a.hlog");
        Histogram histogram = new Histogram(3);
        histogram.recordValue(123_456);
        try (IntervalLog log = IntervalLog.create(file, "a title", 1_700_000_000_000L)) {
            log.add(null, 0, 1_000_000_000, histogram);
            log.add(IntervalLog.SERVICE, 0, 1_000_000_000, histogram);
            assertThat(file).doesNotExist();
            log.publish();
        }
        try (HistogramLogReader reader = new HistogramLogReader(Files.newInputStream(file))) {
            Histogram first = (Histogram) reader.nextIntervalHistogram();
            assertThat(first.getTag()).isNull();
            assertThat(first.getMaxValue()).isBetween(123_000L, 124_000L);
            assertThat(first.getStartTimeStamp()).isEqualTo(1_700_000_000_000L);
            assertThat(reader.nextIntervalHistogram().getTag()).isEqualTo(IntervalLog.SERVICE);
        }
        IntervalLog.read(file, null, (start, length, each) -> {
            assertThat(start).isZero();
            assertThat(length).isEqualTo(1);
            assertThat(each.getMaxValue()).isBetween(123_000L, 124_000L);
        });
        assertThat(Files.readString(file)).doesNotContain(directory.toString());
    }

    @Test
    void unfinishedLogLeavesNothing() throws IOException {
        IntervalLog.create(directory.resolve("a.hlog"), "a title", 0).close();

        assertThat(directory).isEmptyDirectory();
    }
}
