package dev.baton.examples.tutorial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** A program of the tutorial in a process of its own. */
final class Program implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Process process;
    private final Path printed;

    private Program(Process process, Path printed) {
        this.process = process;
        this.printed = printed;
    }

    static Program start(Class<?> program, Path folder, Object... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow()));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--") || flag.startsWith("-XX"))
                .forEach(command::add);
        command.addAll(List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=error", "-cp"));
        command.addAll(List.of(System.getProperty("java.class.path"), program.getName()));
        List.of(arguments).forEach(argument -> command.add(argument.toString()));
        Path printed = Files.createTempFile(folder, "printed", ".txt");
        return new Program(
                new ProcessBuilder(command)
                        .redirectOutput(printed.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start(),
                printed);
    }

    String printed() {
        try {
            return Files.readString(printed);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Waits until the program has printed a pattern, and returns what matches it. */
    String await(String pattern) {
        Pattern compiled = Pattern.compile(pattern);
        Awaitility.await(pattern)
                .atMost(LIMIT)
                .until(() -> !process.isAlive() || compiled.matcher(printed()).find());
        return compiled.matcher(printed())
                .results()
                .findFirst()
                .map(MatchResult::group)
                .orElseThrow(() -> new AssertionError("no '" + pattern + "' in: " + printed()));
    }

    /** Sends a request to the port that the program has printed; POST with a body, otherwise GET. */
    String request(String path, String body) throws IOException, InterruptedException {
        String port = await("(?<=listening on port )\\d+");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(LIMIT);
        return HTTP.send(
                        (body == null ? request : request.POST(BodyPublishers.ofString(body))).build(),
                        BodyHandlers.ofString())
                .body();
    }

    int exitCode() throws InterruptedException {
        return process.waitFor();
    }

    /** Ends the program with SIGTERM. */
    void stop() throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor()).as("exit code after SIGTERM").isEqualTo(143);
    }

    /** Ends the program with SIGKILL. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
