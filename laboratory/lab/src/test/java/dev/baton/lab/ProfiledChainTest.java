package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.trial.TrialRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A chain in a real JVM, profiled. */
@Tag("slow")
class ProfiledChainTest {
    @TempDir
    private Path results;

    private final FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);

    @Test
    void theHottestMethodsArePrinted() throws Exception {
        int code = laboratory.run(
                "chain",
                "--transport",
                "disruptor",
                "--rate",
                "max",
                "--warmup",
                "500ms",
                "--duration",
                "2s",
                "--profile",
                "jfr",
                "--out",
                results.toString());

        assertThat(code).as(laboratory.err()).isIn(0, 4); // 4: the host withheld CPU
        assertThat(laboratory.out()).contains("hottest methods of disruptor", " %  ", "[baton-loop-1]");
        try (Stream<Path> files = Files.walk(results)) {
            List<Path> recordings = files.filter(file -> file.toString().endsWith("disruptor.jfr"))
                    .toList();
            assertThat(recordings).hasSize(1);
            assertThat(Files.getPosixFilePermissions(recordings.get(0)))
                    .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
            assertThat(RecordingFile.readAllEvents(recordings.get(0)))
                    .extracting(event -> event.getEventType().getName())
                    .contains("jdk.ExecutionSample")
                    .doesNotContain(
                            "jdk.InitialEnvironmentVariable",
                            "jdk.InitialSystemProperty",
                            "jdk.JVMInformation",
                            "jdk.SystemProcess");
        }
    }

    @Test
    void aFileThatIsNoAgentIsRefused() throws IOException {
        Path library = Files.writeString(results.resolve("libasyncProfiler.so"), "no library");

        int code = laboratory.run(
                "chain",
                "--transport",
                "disruptor",
                "--warmup",
                "1ms",
                "--duration",
                "1ms",
                "--profile",
                "async=" + library,
                "--out",
                results.toString());

        assertThat(code).as(laboratory.err()).isEqualTo(3);
        assertThat(laboratory.err()).contains("--profile async=" + library + ": the JVM answered");
    }

    @ParameterizedTest
    @CsvSource({
        "perf, '--profile ''perf'' is not known; jfr, or async=FILE'",
        "async=/nosuch.so, --profile async=/nosuch.so: there is no file /nosuch.so",
        "'async=/dev/null,cpu', there is no file /dev/null"
    })
    void badProfilersAreOneClearLine(String typed, String line) {
        assertThat(laboratory.run("chain", "--profile", typed)).isEqualTo(2);
        assertThat(laboratory.err()).contains(line);
    }
}
