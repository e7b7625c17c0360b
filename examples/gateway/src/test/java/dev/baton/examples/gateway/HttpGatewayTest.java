package dev.baton.examples.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.io.IOException;
import java.net.BindException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HttpGatewayTest {
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private Transport transport;
    private Loops loops;

    @BeforeEach
    void open() throws IOException {
        transport = DisruptorTransport.create();
        loops = Loops.cooperative(1);
    }

    @AfterEach
    void close() throws IOException {
        loops.close();
        transport.close();
    }

    private CompletableFuture<HttpResponse<String>> post(HttpGateway gateway, String body) {
        return client.sendAsync(
                HttpRequest.newBuilder(gateway.uri())
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .timeout(Duration.ofSeconds(20))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void everyRequestGetsItsOwnAnswer() throws Exception {
        try (HttpGateway gateway = HttpGateway.open(transport, loops, "echo", 5, 0, 64)) {
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                answers.add(post(gateway, "request " + i));
            }
            for (int i = 0; i < 50; i++) {
                assertThat(answers.get(i).get().statusCode()).isEqualTo(200);
                assertThat(answers.get(i).get().body()).isEqualTo("request " + i);
            }
        }
    }

    @Test
    void aBrowserAsksBehindTheQuestionMark() throws Exception {
        try (HttpGateway gateway = HttpGateway.open(transport, loops, "get", 5, 0, 4)) {
            URI question = URI.create(gateway.uri() + "?hello");
            HttpResponse<String> answer =
                    client.send(HttpRequest.newBuilder(question).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.body()).isEqualTo("hello");
            assertThat(post(gateway, "").get().statusCode()).isEqualTo(200);
        }
    }

    @Test
    void longestBodyPassesLongerIsRefused() throws Exception {
        try (HttpGateway gateway = HttpGateway.open(transport, loops, "long", 5, 0, 4)) {
            String most = "x".repeat(gateway.mostBody());
            assertThat(post(gateway, most).get().body()).isEqualTo(most);
            assertThat(post(gateway, most + "x").get().statusCode()).isEqualTo(413);
        }
    }

    @Test
    void excessRequestsAreRefusedSlowOnesEnd() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Chain slow = Chain.named("slow")
                .then("wait", () -> (in, out) -> {
                    arrived.countDown();
                    release.await(20, TimeUnit.SECONDS);
                    out.forward(in);
                })
                .build();
        try (HttpGateway gateway = HttpGateway.open(transport, loops, slow, 0, 1, Duration.ofMillis(1_500))) {
            CompletableFuture<HttpResponse<String>> first = post(gateway, "first");
            assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();
            HttpResponse<String> second = post(gateway, "second").get();
            assertThat(second.statusCode()).isEqualTo(503);
            assertThat(second.headers().firstValue("Retry-After")).contains("1");
            assertThat(first.get().statusCode()).isEqualTo(504);
            release.countDown();
            await().until(() -> post(gateway, "third").get().statusCode() == 200);
            assertThat(post(gateway, "fourth").get().body()).isEqualTo("fourth"); // and not the late first's
        } finally {
            release.countDown();
        }
    }

    @Test
    void usedPortIsReportedBeforeChainRuns() throws Exception {
        try (HttpGateway gateway = HttpGateway.open(transport, loops, "one", 5, 0, 4)) {
            int port = gateway.uri().getPort();
            assertThatThrownBy(() -> HttpGateway.open(transport, loops, "two", 5, port, 4))
                    .isInstanceOfSatisfying(
                            BindException.class,
                            taken -> assertThat(HttpGateway.complaint(port, taken))
                                    .startsWith("cannot listen on port " + port)
                                    .endsWith("name a free one as the second argument"));
            assertThat(post(gateway, "still there").get().body()).isEqualTo("still there");
        }
    }
}
