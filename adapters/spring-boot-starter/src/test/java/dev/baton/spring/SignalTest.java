package dev.baton.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The orderly stop of a process by a signal. */
@Tag("slow")
class SignalTest {
    private static final int SIGTERM = 128 + 15; // as every JVM that ends by a signal

    @TempDir
    Path directory;

    @Test
    void inFlightMessagesAreDrainedAfterSigterm() throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--") || flag.startsWith("-XX"))
                .forEach(command::add);
        command.addAll(List.of(
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                SlowApplication.class.getName(),
                "--baton.transport=chronicle",
                "--baton.transports.chronicle.dir=" + directory));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        List<String> printed = new ArrayList<>();
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                printed.add(line);
                if (line.equals("all stored")) {
                    process.toHandle().destroy(); // SIGTERM, and the streams stay open
                }
            }
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(printed.stream().filter(line -> line.startsWith("output ")).toList())
                .as(String.join("\n", printed))
                .containsExactlyElementsOf(LongStream.rangeClosed(1, SlowApplication.MESSAGES)
                        .mapToObj(number -> "output " + number)
                        .toList());
        int stored = printed.indexOf("all stored");
        assertThat(printed.indexOf("output " + SlowApplication.MESSAGES)).isGreaterThan(stored); // was in hand
        assertThat(process.exitValue()).isEqualTo(SIGTERM);
        assertThat(printed).anyMatch(line -> line.contains("chains [slow] are closed, all messages are drained"));
    }
}
