package dev.baton.aeron;

import dev.baton.aeron.driver.DriverClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another JVM with this one's class path, for what needs two processes or the end of one. Killed at close. */
final class AeronJvm implements AutoCloseable {
    private static final long LONGEST_SECONDS = 60;

    private final Process process;
    private final BufferedReader out;

    private AeronJvm(List<String> prefix, List<String> flags, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
        command.add(main.getName());
        command.addAll(List.of(arguments));
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts a main class with the flag that Aeron needs, C1 alone and the serial collector, as it lives a second or two. */
    static AeronJvm start(Class<?> main, String... arguments) {
        return startOn(List.of(), main, arguments);
    }

    /** Starts one behind a command that runs another, such as that of a network namespace. */
    static AeronJvm startOn(List<String> prefix, Class<?> main, String... arguments) {
        return new AeronJvm(
                prefix,
                List.of(DriverClient.JVM_FLAG, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m"),
                main,
                arguments);
    }

    /** Sends a signal, such as STOP or CONT. */
    void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new AssertionError("kill -" + name + " has ended with " + code);
        }
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
