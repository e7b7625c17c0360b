package dev.baton.micrometer;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** A registry's text as Prometheus reads it: {@code /metrics} on the JDK's server. */
final class ScrapeServer implements AutoCloseable {
    private final HttpServer server;

    ScrapeServer(PrometheusMeterRegistry registry) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
        server.createContext("/metrics", exchange -> {
            try (exchange) {
                byte[] body = registry.scrape().getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().add("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
                exchange.sendResponseHeaders(200, body.length);
                try (OutputStream out = exchange.getResponseBody()) {
                    out.write(body);
                }
            }
        });
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Returns the text of a scrape now. */
    String text() throws IOException, InterruptedException {
        return get(URI.create("http://127.0.0.1:" + port() + "/metrics"));
    }

    static String get(URI address) throws IOException, InterruptedException {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(address + " answered " + answer.statusCode() + ": " + answer.body());
        }
        return answer.body();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
