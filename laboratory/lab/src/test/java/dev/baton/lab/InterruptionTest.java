package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lab.results.Experiment;
import dev.baton.lab.results.Json;
import dev.baton.lab.results.Verdict;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Signals to a real process with a real child. */
@Timeout(60)
@Tag("long")
class InterruptionTest {
    @TempDir
    private Path temporary;

    private Process laboratory;
    private ProcessHandle child;

    @AfterEach
    void leaveNothingRunning() {
        if (laboratory != null) {
            laboratory.destroyForcibly();
        }
        if (child != null) {
            child.destroyForcibly();
        }
    }

    @Test
    void terminationKeepsPartialResult() throws Exception {
        start(List.of());
        laboratory.destroy();
        assertThatItEndedInGoodOrder();
    }

    @Test
    void controlCDoesTheSame() throws Exception {
        Path env = Path.of("/usr/bin/env");
        assumeThat(canResetSignals(env)).as("env --default-signal").isTrue();
        start(List.of(env.toString(), "--default-signal=INT")); // a build in the background ignores it
        new ProcessBuilder("kill", "-INT", Long.toString(laboratory.pid()))
                .start()
                .waitFor();
        assertThatItEndedInGoodOrder();
    }

    @Test
    void childOfKilledParentEnds() throws Exception {
        start(List.of());
        laboratory.destroyForcibly().waitFor();
        child.onExit().get(30, TimeUnit.SECONDS);
    }

    @Test
    void terminatedSearchPrintsResultsSoFar() throws Exception {
        start(List.of(), "density");
        laboratory.destroy();
        assertThat(laboratory.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(laboratory.exitValue()).isEqualTo(130);
        assertThat(child.isAlive()).isFalse();
        assertThat(temporary.resolve("data")).doesNotExist();
        assertThat(said())
                .contains(
                        "plain, baton: no trial was completed, as the command was interrupted.", "baton: interrupted; ")
                .doesNotContain("Exception");
    }

    private void start(List<String> prefix) throws IOException {
        start(prefix, "chain");
    }

    private void start(List<String> prefix, String measuring) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                FakeLaboratory.class.getName(),
                measuring,
                "--transport",
                "filing,plain",
                "-o",
                "do=wait",
                "--dir",
                temporary.resolve("data").toString(),
                "--out",
                temporary.resolve("results").toString()));
        laboratory = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(temporary.resolve("said").toFile())
                .start();
        awaitSaid("warming up");
        child = laboratory.children().findFirst().orElseThrow();
    }

    private void assertThatItEndedInGoodOrder() throws Exception {
        assertThat(laboratory.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(laboratory.exitValue()).isEqualTo(130);
        assertThat(child.isAlive()).isFalse();
        assertThat(temporary.resolve("data")).doesNotExist();
        assertThat(said())
                .contains("2 trials, about ", "INTERRUPTED", "baton: without a result: plain", "baton: interrupted; ")
                .doesNotContain("Exception");
        try (Stream<Path> folders = Files.list(temporary.resolve("results"))) {
            Path file = folders.findFirst().orElseThrow().resolve("experiment.json");
            Experiment experiment = Json.read(file, Experiment.class);
            assertThat(experiment.endedAt()).isNotNull();
            assertThat(experiment.trials())
                    .extracting(trial ->
                            trial.outcome() == null ? null : trial.outcome().verdict())
                    .containsExactly(Verdict.INTERRUPTED, null);
        }
    }

    private void awaitSaid(String words) {
        await().atMost(Duration.ofSeconds(40)).until(() -> said().contains(words)); // two JVMs start first
    }

    private String said() throws IOException {
        return Files.readString(temporary.resolve("said"), StandardCharsets.UTF_8);
    }

    private static boolean canResetSignals(Path env) throws Exception {
        if (!Files.isExecutable(env)) {
            return false;
        }
        Process probe = new ProcessBuilder(env.toString(), "--default-signal=INT", "true")
                .redirectErrorStream(true)
                .start();
        try (BufferedReader output = probe.inputReader()) {
            output.lines().forEach(line -> {});
        }
        return probe.waitFor() == 0;
    }
}
