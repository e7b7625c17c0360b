package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.launch.FakeTrial;
import dev.baton.lab.results.ReadExperiment;
import dev.baton.lab.results.ResultReader;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.schema.Schemas;
import dev.baton.measuring.data.Percentile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Experiments that earlier versions left are read for ever. */
class KeptResultsTest {
    private static final Path KEPT = Path.of("src/test/resources/results");

    static Stream<Path> experiments() throws IOException {
        try (Stream<Path> all = Files.walk(KEPT)) {
            return all.filter(file -> file.endsWith("experiment.json")).map(Path::getParent).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void experimentOfEarlierVersionIsReadable(Path folder) {
        ReadExperiment read = ResultReader.read(folder);
        assertThat(read.complaints()).isEmpty();
        assertThat(read.experiment().trials()).isNotEmpty().hasSameSizeAs(read.trials());
        for (TrialResult trial : read.trials()) {
            assertThat(trial.response().count()).isPositive();
            assertThat(trial.response().at(50).nanos()).isPositive();
            assertThat(trial.response().percentiles())
                    .extracting(Percentile::percentile)
                    .isSorted();
            assertThat(trial.delivery().sent()).isPositive();
        }
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void experimentOfEarlierVersionMatchesSchema(Path folder) throws IOException {
        Schemas.requireReadable(folder);
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void anExperimentOfAnEarlierVersionIsCompared(Path folder) {
        FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);
        assertThat(laboratory.run("compare", folder.toString(), folder.toString()))
                .as(laboratory.err() + laboratory.out())
                .isZero();
        assertThat(laboratory.out()).contains("p50", "+0.0 %");
        assertThat(laboratory.err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    chain   | chronicle
                    kafka   | kafka
                    transit | disruptor
                    jitter  | safepoints-off
                    window  | disruptor-boxed-1000-keys-1-loops
                    load    | disruptor
                    density | 001-disruptor-baton-cooperative-1-n2
                    """)
    void firstSchemaHasExperimentsOfAllCommands(String command, String trial) {
        assertThat(ResultReader.read(KEPT.resolve("schema-1").resolve(command)).trials())
                .extracting(each -> each.plan().id())
                .contains(trial);
    }
}
