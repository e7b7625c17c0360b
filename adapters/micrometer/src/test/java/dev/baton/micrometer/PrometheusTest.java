package dev.baton.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.disruptor.DisruptorOptions;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.run.Loops;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Debian's Prometheus scrapes a running chain, and every query of the dashboard in the examples has an answer. */
@Tag("long")
class PrometheusTest {
    private static final Path DASHBOARD = Path.of("../../examples/dashboards/baton.json");
    private static final Pattern QUERY = Pattern.compile("\"expr\": \"((?:[^\"\\\\]|\\\\.)*)\"");

    @TempDir
    private Path folder;

    @Test
    void prometheusAnswersEveryQueryOfTheDashboard() throws Exception {
        boolean isThere = Files.isExecutable(Path.of("/usr/bin/prometheus"));
        assumeTrue(isThere || "required".equals(System.getenv("BATON_PROMETHEUS")), "prometheus is not installed");
        BatonMetrics metrics = new BatonMetrics();
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        metrics.bindTo(registry);
        try (DisruptorTransport transport = DisruptorTransport.create(DisruptorOptions.defaults());
                Loops loops = metrics.add(Loops.cooperative(1));
                RunningChain running = metrics.start(Chain.named("orders")
                        .then("price", () -> (in, out) -> out.forward(in))
                        .build()
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> {}));
                ScrapeServer server = new ScrapeServer(registry)) {
            int port = freePort();
            Process prometheus = start(port, server.port());
            try {
                await().atMost(Duration.ofSeconds(60))
                        .pollInSameThread()
                        .pollInterval(Duration.ofMillis(250))
                        .until(() -> {
                            running.inlet().send(new byte[8]);
                            return isAnswered(port, "rate(baton_messages_consumed_messages_total[5s]) > 0");
                        });
                Set<String> queries = queries();
                assertThat(queries).hasSizeGreaterThan(8);
                for (String query : queries) {
                    await(query)
                            .atMost(Duration.ofSeconds(30))
                            .pollInSameThread()
                            .until(() -> {
                                running.inlet().send(new byte[8]);
                                return isAnswered(
                                        port, query.replace("$chain", "orders").replace("$__rate_interval", "5s"));
                            });
                }
            } finally {
                prometheus.destroy();
                assertThat(prometheus.waitFor(20, TimeUnit.SECONDS)).isTrue();
            }
        }
        registry.close();
    }

    private static Set<String> queries() throws IOException {
        Set<String> found = new LinkedHashSet<>();
        Matcher matcher = QUERY.matcher(Files.readString(DASHBOARD));
        while (matcher.find()) {
            found.add(matcher.group(1).replace("\\\"", "\""));
        }
        return found;
    }

    private static boolean isAnswered(int port, String query) {
        try {
            String answer = ScrapeServer.get(URI.create("http://127.0.0.1:" + port + "/api/v1/query?query="
                    + URLEncoder.encode(query, StandardCharsets.UTF_8)));
            return answer.contains("\"status\":\"success\"") && answer.contains("\"metric\":{");
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private Process start(int port, int scraped) throws IOException {
        Path configuration = folder.resolve("prometheus.yml");
        Files.writeString(configuration, """
                global:
                  scrape_interval: 1s
                scrape_configs:
                  - job_name: baton
                    static_configs:
                      - targets: ['127.0.0.1:%d']
                """.formatted(scraped));
        return new ProcessBuilder(
                        "prometheus",
                        "--config.file=" + configuration,
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("prometheus.log").toFile())
                .start();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
