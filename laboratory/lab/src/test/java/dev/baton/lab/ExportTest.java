package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.lab.launch.FakeTrial;
import dev.baton.lab.results.Json;
import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.results.TrialResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exports of kept results to other programs. */
class ExportTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path results;

    private final FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);

    @BeforeEach
    void keepResults() throws Exception {
        write(FixedResults.passed("disruptor", 4_000), "first");
        write(FixedResults.passed("disruptor", 6_000), "second");
        write(FixedResults.failed("kafka"), "third");
    }

    private void write(TrialResult result, String id) throws Exception {
        Path own = Files.createDirectories(results.resolve(id));
        new ResultFolder(own).write(result);
    }

    private JsonNode exported(String format) throws Exception {
        int code = laboratory.run(
                "export",
                "--format",
                format,
                results.resolve("first").toString(),
                results.resolve("second").toString(),
                results.resolve("third").toString());
        assertThat(code).as(laboratory.err()).isZero();
        return JSON.readTree(laboratory.out());
    }

    @Test
    void repetitionsAreForksOfOneJmhBenchmark() throws Exception {
        JsonNode all = exported("jmh");

        assertThat(all).hasSize(1); // the failed trial is omitted
        JsonNode only = all.get(0);
        assertThat(only.get("benchmark").asText()).isEqualTo("baton.chain.disruptor.baton");
        assertThat(only.get("forks").asInt()).isEqualTo(2);
        assertThat(only.at("/params/services").asText()).isEqualTo("5");
        JsonNode metric = only.get("primaryMetric");
        assertThat(metric.get("score").asDouble()).isEqualTo(5);
        assertThat(metric.get("scoreError").asDouble())
                .as("standard error 1, one degree of freedom")
                .isCloseTo(636.6, within(0.1));
        assertThat(metric.at("/scorePercentiles/99.9").asDouble()).isEqualTo(5 * FixedResults.P999_OVER_P50);
        assertThat(metric.get("scoreUnit").asText()).isEqualTo("us/op");
        assertThat(only.get("secondaryMetrics").fieldNames()).toIterable().contains("service", "sendDelay");
    }

    @Test
    void otherCollectorOrWorkIsAnotherBenchmark() throws Exception {
        changed("\"G1", "\"Serial", "serial");
        changed("\"work\":[]", "\"work\":[{\"kind\":\"busy\",\"nanos\":5000}]", "busy");
        List<String> typed = new ArrayList<>(List.of("export", "--format", "jmh"));
        for (String id : List.of("first", "second", "serial", "busy")) {
            typed.add(results.resolve(id).toString());
        }
        int code = laboratory.run(typed.toArray(String[]::new));

        assertThat(code).as(laboratory.err()).isZero();
        JsonNode all = JSON.readTree(laboratory.out());
        assertThat(all).hasSize(3);
        assertThat(all).extracting(each -> each.get("forks").asInt()).containsExactlyInAnyOrder(2, 1, 1);
    }

    @Test
    void otherDurationIsAnotherBenchmark() throws Exception {
        changed("\"measureNanos\":30000000000", "\"measureNanos\":1000000000", "short");
        changed(
                "\"warmupNanos\":10000000000,\"measureNanos\":30000000000",
                "\"warmupNanos\":0,\"measureNanos\":30000000000",
                "cold");
        List<String> typed = new ArrayList<>(List.of("export", "--format", "jmh"));
        for (String id : List.of("first", "second", "short", "cold")) {
            typed.add(results.resolve(id).toString());
        }
        int code = laboratory.run(typed.toArray(String[]::new));

        assertThat(code).as(laboratory.err()).isZero();
        JsonNode all = JSON.readTree(laboratory.out());
        assertThat(all)
                .extracting(each -> each.get("forks").asInt() + " of "
                        + each.get("measurementTime").asText() + " after "
                        + each.get("warmupTime").asText())
                .containsExactlyInAnyOrder(
                        "2 of 30.000 s after 10.000 s", "1 of 1.000 s after 10.000 s", "1 of 30.000 s after 0.000 s");
    }

    @Test
    void otherBrokersOrProcessesAreAnotherBenchmark() throws Exception {
        changed("\"brokerPids\":[]", "\"brokerPids\":[1,2,3]", "brokers");
        changed("\"meeting\":null", "\"meeting\":{\"directory\":\"/meeting\",\"processes\":4}", "shared");
        changed("\"spread\":null", "\"spread\":{\"chain\":\"trial-1\",\"pids\":[4,5]}", "spread");
        List<String> typed = new ArrayList<>(List.of("export", "--format", "jmh"));
        for (String id : List.of("first", "second", "brokers", "shared", "spread")) {
            typed.add(results.resolve(id).toString());
        }
        int code = laboratory.run(typed.toArray(String[]::new));

        assertThat(code).as(laboratory.err()).isZero();
        JsonNode all = JSON.readTree(laboratory.out());
        assertThat(all).extracting(each -> each.get("forks").asInt()).containsExactlyInAnyOrder(2, 1, 1, 1);
    }

    /** Keeps a passed trial in which a text is replaced. */
    private void changed(String from, String to, String id) throws Exception {
        String passed = Json.line(FixedResults.passed("disruptor", 5_000));
        assertThat(passed).contains(from);
        write(Json.parse(passed.replace(from, to), TrialResult.class), id);
    }

    @Test
    void bencherGetsTheRangeOfTrials() throws Exception {
        JsonNode measure = exported("bmf").get("baton.chain.disruptor.baton").get("response-p50-us");

        assertThat(measure.get("value").asDouble()).isEqualTo(5);
        assertThat(measure.get("lower_value").asDouble()).isEqualTo(4);
        assertThat(measure.get("upper_value").asDouble()).isEqualTo(6);
    }

    @Test
    void csvHasRowsOfFailedTrials() throws Exception {
        Path file = results.resolve("all.csv");
        int code = laboratory.run(
                "export",
                "--format",
                "csv",
                "--out",
                file.toString(),
                results.resolve("first").toString(),
                results.resolve("third").toString());

        assertThat(code).as(laboratory.err()).isZero();
        assertThat(Files.readAllLines(file))
                .contains("benchmark,trial,verdict,started_at,metric,statistic,value,unit,samples_above")
                .anyMatch(line -> line.startsWith("baton.chain.disruptor.baton,disruptor,pass,")
                        && line.contains(",response,p50,4000,ns,"))
                .anyMatch(line -> line.startsWith("baton.chain.kafka.baton,kafka,fail,"));
    }

    @Test
    void unknownFormatsAreRefusedWithTheKnownOnes() {
        assertThat(laboratory.run("export", "--format", "xml", results.toString()))
                .isEqualTo(2);
        assertThat(laboratory.err()).contains("--format xml: jmh, csv or bmf is allowed");
    }

    @Test
    void aFolderWithoutTrialsIsRefused() {
        assertThat(laboratory.run("export", "--format", "jmh", results.toString()))
                .isEqualTo(2);
        assertThat(laboratory.err()).contains("there is no trial to export");
    }
}
