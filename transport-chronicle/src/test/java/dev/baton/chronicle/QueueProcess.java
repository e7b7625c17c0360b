package dev.baton.chronicle;

import dev.baton.chronicle.platform.RuntimeRequirements;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Another JVM with this one's class path, for what needs two processes or the end of one. Killed at close. */
final class QueueProcess implements AutoCloseable {
    private static final long LONGEST_SECONDS = 60;

    private final Process process;
    private final BufferedReader out;

    private QueueProcess(
            Map<String, String> environment,
            List<String> before,
            List<String> flags,
            Class<?> main,
            String... arguments) {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
        command.add(main.getName());
        command.addAll(List.of(arguments));
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(environment);
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts a main class with all flags that Chronicle needs, C1 alone and the serial collector, as it lives a second or two. */
    static QueueProcess start(Class<?> main, String... arguments) {
        return startBy(List.of(), main, arguments);
    }

    /** Starts it with these flags in addition. */
    static QueueProcess startWith(List<String> more, Class<?> main, String... arguments) {
        List<String> flags = usual();
        flags.addAll(more);
        return start(flags, main, arguments);
    }

    /** Starts it by another command, which the JVM's command follows. */
    static QueueProcess startBy(List<String> command, Class<?> main, String... arguments) {
        return new QueueProcess(Map.of(), command, usual(), main, arguments);
    }

    /** Starts a JVM as {@link #start(Class, String...)} does, with more variables in its environment. */
    static QueueProcess start(Map<String, String> environment, Class<?> main, String... arguments) {
        return new QueueProcess(environment, List.of(), usual(), main, arguments);
    }

    /**
     * Starts a JVM as {@link #start(Class, String...)} does, which may write no file longer than this number of KiB.
     *
     * @param temporary directory for temporary files, where a library that is too long stays
     */
    static QueueProcess startWithFilesOf(int kilobytes, Path temporary, Class<?> main, String... arguments) {
        String limited = "ulimit -f " + 2 * kilobytes + " && exec \"$@\""; // the shell counts in 512 bytes
        List<String> flags = usual();
        flags.add("-Djava.io.tmpdir=" + temporary);
        return new QueueProcess(Map.of(), List.of("/bin/sh", "-c", limited, "limited"), flags, main, arguments);
    }

    private static List<String> usual() {
        List<String> flags =
                new ArrayList<>(RuntimeRequirements.jvmFlags(Runtime.version().feature()));
        flags.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        return flags;
    }

    /** Starts a main class with these flags and no others. */
    static QueueProcess start(List<String> flags, Class<?> main, String... arguments) {
        return new QueueProcess(Map.of(), List.of(), flags, main, arguments);
    }

    long pid() {
        return process.pid();
    }

    /** The next line that it prints; null when it has ended. */
    String line() {
        try {
            return out.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Awaits its end. */
    int exitCode() throws InterruptedException {
        if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("process " + pid() + " has not ended within " + LONGEST_SECONDS + " s");
        }
        return process.exitValue();
    }

    /** Kills it as a power cut would. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        exitCode();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
