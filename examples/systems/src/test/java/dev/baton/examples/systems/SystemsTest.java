package dev.baton.examples.systems;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The systems in BATON_CLASSPATH of a laboratory whose own class path lacks them. */
@Timeout(240)
@Tag("slow")
class SystemsTest {
    /** This module, and what the laboratory does not use. */
    private static final Predicate<String> FOREIGN =
            entry -> entry.contains("examples" + File.separator + "systems") || entry.contains("spring");

    @TempDir
    private Path temporary;

    private static String classPath(Predicate<String> isPart) {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(isPart)
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Runs a command of the laboratory. @return its output */
    private String baton(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath(FOREIGN.negate()),
                "dev.baton.app.Baton"));
        command.addAll(List.of(arguments));
        File output = temporary.resolve("output").toFile();
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output);
        builder.environment().put("BATON_CLASSPATH", classPath(FOREIGN));
        builder.environment().put("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1"); // for trials that last a second
        Process process = builder.start();
        try {
            assertThat(process.waitFor(200, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroy();
        }
        return Files.readString(output.toPath());
    }

    @ParameterizedTest
    @ValueSource(strings = {"jctools-mpsc", "plain-kafka", "spring-kafka"})
    void everyMessageArrives(String system) throws Exception {
        String output = baton(
                "chain",
                "--engine=system:" + system,
                "--rate=200",
                "--warmup=2s",
                "--duration=1s",
                "--out=" + temporary.resolve("results"),
                "--dir=" + temporary.resolve("data"));

        assertThat(output)
                .containsPattern("delivered +600")
                .containsPattern("verdict +delivered")
                .contains("system " + system + " with threads of its own");
    }

    @Test
    void systemsAreListed() throws Exception {
        assertThat(baton("systems")).contains("jctools-mpsc", "plain-kafka", "spring-kafka");
    }
}
