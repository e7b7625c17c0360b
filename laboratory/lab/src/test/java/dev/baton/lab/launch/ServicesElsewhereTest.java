package dev.baton.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.baton.lab.FixedResults;
import dev.baton.lab.launch.PlannedTrial.Elsewhere;
import dev.baton.lab.protocol.Event;
import dev.baton.lab.results.RemoteProcess;
import dev.baton.operations.line.Version;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes elsewhere, by what they answer. */
@Timeout(60)
class ServicesElsewhereTest {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    private static final long SECOND = 1_000_000_000;
    private static final int ALWAYS_THE_SAME_PID = 1; // as in a container

    private final AtomicInteger asked = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    @Test
    void figuresBeginAnewWhenAContainerIsRestarted() throws Exception {
        answer(number -> switch (number) {
            case 1, 2 -> health(60 * SECOND, 50_000);
            case 3 -> health(2 * SECOND, 100);
            default -> health(3 * SECOND, 150);
        });

        RemoteProcess found = measured(4);

        assertThat(found.spanNanos()).isEqualTo(SECOND);
        assertThat(found.handled()).isEqualTo(50);
    }

    /** Measures until the process has answered so often, once before the measurement. */
    private RemoteProcess measured(int answers) throws Exception {
        Elsewhere elsewhere = new Elsewhere(
                "orders", List.of("127.0.0.1:" + server.getAddress().getPort()));
        try (ServicesElsewhere services =
                ServicesElsewhere.find(elsewhere, FixedResults.plan("fake", "cooperative:1", "default"), () -> false)) {
            Consumer<Event.Progress> progress = services.watching(each -> {});
            progress.accept(new Event.Progress(Event.Phase.MEASURING, 0, 0L, 1, 0L, 0L));
            await().atMost(LONGEST_WAIT).until(() -> asked.get() > answers);
            return services.figures().get(0);
        }
    }

    private void answer(IntFunction<String> health) {
        server.createContext("/health", exchange -> {
            byte[] text = health.apply(asked.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
    }

    private static String health(long upNanos, long handled) {
        String services = "[\"s1\",\"s2\",\"s3\",\"s4\",\"s5\"]";
        return String.format(
                Locale.ROOT,
                "{\"isHealthy\":true,\"state\":\"running\",\"host\":{\"baton\":\"%s\",\"host\":\"container\",\"pid\":%d,"
                        + "\"upNanos\":%d},\"runs\":{\"chain\":\"orders\",\"services\":%s,\"here\":%s,\"instances\":1},"
                        + "\"parts\":[{\"input\":{\"consumed\":%d}}]}",
                Version.ofBaton(),
                ALWAYS_THE_SAME_PID,
                upNanos,
                services,
                services,
                handled);
    }
}
