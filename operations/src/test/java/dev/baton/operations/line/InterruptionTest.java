package dev.baton.operations.line;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Signals, and what is done until they are answered. */
@Timeout(60)
class InterruptionTest {
    private final Interruption interruption = new Interruption();

    @Test
    void onlyPendingClosesAreAwaitedForLong() {
        assertThat(interruption.patience()).isEqualTo(Interruption.SHORT);
        interruption.hasToClose();
        assertThat(interruption.patience()).isEqualTo(Interruption.LONGEST);
    }

    @Test
    void aReadThatIsInterruptedHasNoResult() {
        Optional<String> result = interruption.reading(() -> {
            interruption.request();
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted");
            }
            return "read";
        });
        assertThat(result).isEmpty();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void aReadThatFailsByItselfThrows() {
        assertThatThrownBy(() -> interruption.reading(() -> {
                    throw new IllegalStateException("gone");
                }))
                .hasMessage("gone");
        interruption.request();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "reads, 'baton: interrupted, and ended before it was finished'",
        "closes, closed",
        "opens, 'baton: interrupted, and ended before it was finished'",
        "opened, closed",
        "registers, baton: interrupted before it was finished",
        "loads, baton: interrupted before it was finished"
    })
    void aSignalEndsEveryCommandWithOneLine(String what, String line) throws Exception {
        Process process = start(what);
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
                BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
            assertThat(out.readLine()).isEqualTo("ready");
            process.toHandle().destroy(); // which closes no stream
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("ended").isTrue();
            assertThat(process.exitValue()).isEqualTo(130);
            assertThat(err.lines()).containsExactly(line);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static Process start(String what) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        InterruptedCommand.class.getName(),
                        what)
                .start();
    }
}
