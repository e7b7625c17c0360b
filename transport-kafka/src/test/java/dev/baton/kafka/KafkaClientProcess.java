package dev.baton.kafka;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program in a JVM of its own, that logs as much as programs usually do. */
public final class KafkaClientProcess {
    private KafkaClientProcess() {}

    /** Runs a class's main to its end; returns what it has logged and printed. */
    static String run(Class<?> main, String... arguments) throws IOException, InterruptedException {
        return run(System.getProperty("java.class.path"), main, arguments);
    }

    /** The same over a class path of its own. */
    public static String run(String classPath, Class<?> main, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classPath,
                main.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return said;
        } finally {
            process.destroyForcibly();
        }
    }
}
