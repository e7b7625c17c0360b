package dev.baton.examples.cards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.Chain;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.examples.cards.CardAuthorisation.Decision;
import dev.baton.run.Loops;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Payments over HTTP while the server is killed and started again, over Chronicle. */
@Timeout(120)
class KilledServerTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CLIENTS = 8;
    private static final int PAYMENTS_BEFORE_A_KILL = 200;

    @TempDir
    private Path topics;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Set<String> answered = ConcurrentHashMap.newKeySet();
    private Process server;
    private int port;

    @AfterEach
    void end() {
        server.destroyForcibly().onExit().join();
    }

    private void start() throws IOException {
        List<String> command =
                new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow()));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--") || flag.startsWith("-XX"))
                .forEach(command::add);
        command.addAll(List.of(
                "-cp", System.getProperty("java.class.path"), CardServer.class.getName(), "0", topics.toString()));
        server = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader out = server.inputReader();
        String line = out.readLine();
        while (line != null && !line.startsWith("listening on ")) {
            line = out.readLine();
        }
        assertThat(line).as("the server's address").isNotNull();
        port = Integer.parseInt(line.substring("listening on ".length()));
    }

    /** Returns the answer's status; 0 if the server did not answer. */
    private int pay(String id, String card, long cents) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/payments"))
                .timeout(Duration.ofSeconds(10))
                .POST(BodyPublishers.ofString(
                        "{\"id\":\"" + id + "\",\"card\":\"" + card + "\",\"cents\":" + cents + "}"))
                .build();
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            if (response.statusCode() == 200) {
                assertThat(JSON.readValue(response.body(), Decision.class).id()).isEqualTo(id);
                answered.add(id);
            }
            return response.statusCode();
        } catch (IOException killed) {
            return 0;
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    private void payUntilKilled(int round) throws Exception {
        start();
        CountDownLatch enough = new CountDownLatch(PAYMENTS_BEFORE_A_KILL);
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        for (int client = 0; client < CLIENTS; client++) {
            String prefix = round + "-" + client + "-";
            String card = "card-" + client;
            clients.execute(() -> {
                for (int number = 0; pay(prefix + number, card, 10) != 0; number++) {
                    enough.countDown();
                }
            });
        }
        enough.await();
        server.destroyForcibly().onExit().join();
        clients.shutdown();
        assertThat(clients.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void killsLoseAndDoubleNoDecision() throws Exception {
        payUntilKilled(1);
        payUntilKilled(2);
        start();
        assertThat(pay("refused", "card-0", 0)).isEqualTo(422);
        assertThat(pay("last", "card-0", 10)).isEqualTo(200);
        server.destroy();
        assertThat(server.waitFor()).as("exit code after SIGTERM").isEqualTo(143);

        List<String> decided = decided();
        assertThat(decided).doesNotHaveDuplicates().containsAll(answered);
        assertThat(answered).hasSizeGreaterThan(2 * PAYMENTS_BEFORE_A_KILL);
    }

    /** Returns the payments of all decisions in the last topic. */
    private List<String> decided() {
        List<String> ids = new ArrayList<>();
        try (ChronicleTransport transport = ChronicleTransport.in(topics);
                Loops loops = Loops.manual()) {
            Chain.tap("account", "cards-4")
                    .on(transport)
                    .with(loops)
                    .onOutput(Decision.CODEC, (decision, message) -> ids.add(decision.id()))
                    .start()
                    .close(); // takes what the topic holds
        }
        return ids;
    }
}
