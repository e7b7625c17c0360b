package dev.baton.operations.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Answers {@code GET /health} as JSON on its own thread: 200 while running or standing by, else 503, also when the health cannot be read.
 * Thread-safe.
 */
public final class HealthServer implements AutoCloseable {
    private static final String PATH = "/health";
    private static final int MOST_WAITING = 16;

    private final HttpServer server;
    private final ExecutorService thread;
    private final Supplier<Health> health;

    private HealthServer(HttpServer server, Supplier<Health> health) {
        this.server = server;
        this.health = health;
        thread = Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, "baton-health");
            made.setDaemon(true);
            return made;
        });
        server.setExecutor(thread);
        server.createContext("/", this::answer);
        server.start();
    }

    /**
     * Starts a server.
     *
     * @param address with port 0: any free port
     * @throws IOException when the port is taken or not permitted, or the address is not of this host
     */
    public static HealthServer start(InetSocketAddress address, Supplier<Health> health) throws IOException {
        return new HealthServer(HttpServer.create(address, MOST_WAITING), health);
    }

    public int port() {
        return server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!exchange.getRequestURI().getPath().equals(PATH)) {
                send(exchange, HttpURLConnection.HTTP_NOT_FOUND, "{\"error\":\"there is " + PATH + " only\"}");
            } else if (!exchange.getRequestMethod().equals("GET")) {
                exchange.getResponseHeaders().add("Allow", "GET");
                send(exchange, HttpURLConnection.HTTP_BAD_METHOD, "{\"error\":\"GET only\"}");
            } else {
                answerHealth(exchange);
            }
        }
    }

    /** Answers also when the health cannot be read, as a probe would otherwise find a closed connection without a reason. */
    private void answerHealth(HttpExchange exchange) throws IOException {
        int status = HttpURLConnection.HTTP_UNAVAILABLE;
        String json;
        try {
            Health now = health.get();
            json = Health.JSON.writeValueAsString(now);
            status = now.isHealthy() ? HttpURLConnection.HTTP_OK : status;
        } catch (RuntimeException | JsonProcessingException unreadable) {
            json = Health.JSON.writeValueAsString(Map.of("error", "the health cannot be read: " + unreadable));
        }
        send(exchange, status, json);
    }

    private static void send(HttpExchange exchange, int status, String json) throws IOException {
        byte[] body = (json + "\n").getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        thread.shutdownNow();
    }
}
