package dev.baton.operations.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The answers of the health port. */
class HealthServerTest {
    /** As where a transport cannot read its counters. */
    @Test
    void healthThatCannotBeReadIsAnswered() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (HealthServer server = HealthServer.start(any, () -> {
            throw new IllegalStateException("no \"counters\"");
        })) {
            HttpURLConnection connection = (HttpURLConnection) new URI("http://127.0.0.1:" + server.port() + "/health")
                    .toURL()
                    .openConnection();
            connection.setConnectTimeout(5_000);
            connection.setReadTimeout(5_000);

            assertThat(connection.getResponseCode()).isEqualTo(HttpURLConnection.HTTP_UNAVAILABLE);
            try (InputStream body = connection.getErrorStream()) {
                assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8))
                        .contains("{\"error\":", "no \\\"counters\\\"");
            }
        }
    }
}
