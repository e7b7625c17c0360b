package dev.baton.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.protocol.Event;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.Shape;
import dev.baton.lab.results.Json;
import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.line.CommandException.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The child process as its parent sees it. */
@Tag("slow")
class TrialProcessTest {
    @TempDir
    Path directory;

    private Process child;

    @AfterEach
    void endChild() {
        if (child != null) {
            child.destroyForcibly();
        }
    }

    private BufferedReader start(String... arguments) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(
                java,
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                TrialRunner.class.getName()));
        command.addAll(List.of(arguments));
        child = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return child.inputReader();
    }

    private BufferedReader startLong() throws IOException {
        PlacedTrial plan = Plans.of(
                directory, "memory", Map.of(), new Shape(5, 1, 0), Plans.EVEN_1000, "cooperative:1", 3_600_000);
        Path file = directory.resolve("plan.json");
        Json.write(file, plan);
        return start(file.toString());
    }

    private static Event next(BufferedReader events) throws IOException {
        String line = events.readLine();
        return line == null ? null : Json.parse(line, Event.class);
    }

    private static Event awaitMeasuring(BufferedReader events) throws IOException {
        Event event = next(events);
        while (!(event instanceof Event.Progress progress && progress.phase() == Event.Phase.MEASURING)) {
            assertThat(event).isNotNull();
            event = next(events);
        }
        return event;
    }

    private static Event last(BufferedReader events) throws IOException {
        Event last = null;
        for (Event event = next(events); event != null; event = next(events)) {
            last = event;
        }
        return last;
    }

    private void hasPartialResult() throws IOException {
        TrialResult result = ResultFolder.readTrial(directory.resolve("memory-1.trial.json"));
        assertThat(result.outcome().verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(result.response().count()).isPositive();
        assertThat(directory.toFile().list())
                .containsExactlyInAnyOrder("plan.json", "memory-1.trial.json", "memory-1.hlog");
    }

    @Test
    void endOfInputGivesPartialResult() throws Exception {
        BufferedReader events = startLong();
        awaitMeasuring(events);
        child.getOutputStream().close();

        assertThat(last(events))
                .isEqualTo(new Event.Result(
                        directory.resolve("memory-1.trial.json").toString()));
        assertThat(child.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(child.exitValue()).isZero();
        hasPartialResult();
    }

    @Test
    void aSignalEndsItWithAPartialResult() throws Exception {
        BufferedReader events = startLong();
        awaitMeasuring(events);
        child.toHandle().destroy(); // leaves its output open

        assertThat(last(events)).isInstanceOf(Event.Result.class);
        assertThat(child.waitFor(20, TimeUnit.SECONDS)).isTrue();
        hasPartialResult();
    }

    @Test
    void unreadablePlanIsReportedInOneLine() throws Exception {
        BufferedReader events = start(directory.resolve("none.json").toString());

        assertThat(last(events)).isInstanceOfSatisfying(Event.Failed.class, failed -> {
            assertThat(failed.kind()).isEqualTo(Kind.USAGE);
            assertThat(failed.message()).contains("none.json");
        });
        assertThat(child.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(child.exitValue()).isEqualTo(2);
    }
}
