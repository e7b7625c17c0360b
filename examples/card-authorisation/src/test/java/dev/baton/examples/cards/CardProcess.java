package dev.baton.examples.cards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.examples.cards.CardAuthorisation.Decision;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A process of {@link CardServer}. */
final class CardProcess implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern LISTENING = Pattern.compile("listening on (\\d+)");
    private static final Pattern CHANGE = Pattern.compile("partition=(\\d+), kind=(\\w+)");
    private static final Duration START_LIMIT = Duration.ofSeconds(30);

    private final HttpClient http = HttpClient.newHttpClient();
    private final Process process;
    private final Path printed;

    private CardProcess(Process process, Path printed) {
        this.process = process;
        this.printed = printed;
    }

    /** Starts a process that prints into a new file of a folder. */
    static CardProcess start(Path folder, String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow()));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--") || flag.startsWith("-XX"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), CardServer.class.getName()));
        command.addAll(List.of(arguments));
        Path printed = Files.createTempFile(folder, "printed", ".txt");
        return new CardProcess(
                new ProcessBuilder(command)
                        .redirectOutput(printed.toFile())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start(),
                printed);
    }

    private List<MatchResult> printed(Pattern pattern) {
        try {
            return pattern.matcher(Files.readString(printed)).results().toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private Optional<Integer> port() {
        return printed(LISTENING).stream()
                .map(line -> Integer.parseInt(line.group(1)))
                .findFirst();
    }

    CardProcess awaitHttp() {
        await("the server's address").atMost(START_LIMIT).until(() -> port().isPresent() || !process.isAlive());
        assertThat(process.isAlive()).isTrue();
        return this;
    }

    /** Returns the partitions that run in this process, as it has printed. */
    Set<Integer> held() {
        Set<Integer> held = new HashSet<>();
        for (MatchResult change : printed(CHANGE)) {
            int partition = Integer.parseInt(change.group(1));
            if (change.group(2).equals("ASSIGNED")) {
                held.add(partition);
            } else {
                held.remove(partition);
            }
        }
        return held;
    }

    /** Returns the answer's status; 0 if the server did not answer. */
    int pay(String id, String card, long cents) {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port().orElseThrow() + "/payments"))
                .timeout(Duration.ofSeconds(10))
                .POST(BodyPublishers.ofString(
                        "{\"id\":\"" + id + "\",\"card\":\"" + card + "\",\"cents\":" + cents + "}"))
                .build();
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            if (response.statusCode() == 200) {
                assertThat(JSON.readValue(response.body(), Decision.class).id()).isEqualTo(id);
            }
            return response.statusCode();
        } catch (IOException killed) {
            return 0;
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    /** Sends SIGTERM and returns the exit code. */
    int stop() throws InterruptedException {
        process.destroy();
        return process.waitFor();
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
