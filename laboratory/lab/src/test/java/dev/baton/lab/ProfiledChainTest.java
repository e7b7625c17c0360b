package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.trial.TrialMain;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A chain in a real JVM, profiled. */
class ProfiledChainTest {
    @TempDir
    private Path results;

    @Test
    void theHottestMethodsArePrinted() throws Exception {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialMain.class);
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
}
