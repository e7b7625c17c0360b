package dev.baton.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.protocol.Event;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A child JVM that ignores the request to stop. */
@Tag("long")
class ChildJvmTest {
    @TempDir
    private Path temporary;

    @Test
    @Timeout(60)
    void talkingChildThatDoesNotStopIsEnded() throws InterruptedException {
        List<String> talking = List.of("/bin/sh", "-c", "while true; do echo '[gc] Pause'; sleep 0.05; done");
        try (ChildJvm child = new ChildJvm(talking, null, temporary.resolve("errors"), Duration.ofSeconds(90))) {
            child.stop();
            assertThat(child.await(progress -> {}))
                    .isInstanceOfSatisfying(
                            Event.Failed.class,
                            failed -> assertThat(failed.message())
                                    .isEqualTo("its JVM did not stop within 15 s and was ended"));
        }
    }
}
