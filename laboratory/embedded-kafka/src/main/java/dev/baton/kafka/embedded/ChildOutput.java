package dev.baton.kafka.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/**
 * Reads what a child process says, on a daemon thread that ends with the child: waits for its ready line and keeps the
 * last lines for error texts. Thread-safe.
 */
final class ChildOutput {
    private static final int LINES_KEPT = 40;

    private final Deque<String> tail = new ArrayDeque<>(); // guarded by itself
    private final CompletableFuture<String> ready = new CompletableFuture<>();

    static ChildOutput of(InputStream output) {
        ChildOutput reading = new ChildOutput();
        Thread thread = new Thread(() -> reading.read(output), "broker-process-output");
        thread.setDaemon(true);
        thread.start();
        return reading;
    }

    /** Completes with the bootstrap servers, or exceptionally when the child ends without having said them. */
    CompletableFuture<String> ready() {
        return ready;
    }

    /** The last lines, oldest first. */
    String tail() {
        synchronized (tail) {
            return String.join(System.lineSeparator(), tail);
        }
    }

    private void read(InputStream output) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(EmbeddedKafkaMain.READY)) {
                    ready.complete(line.substring(EmbeddedKafkaMain.READY.length()));
                } else {
                    keep(line);
                }
            }
        } catch (IOException closed) {
            keep(closed.toString());
        } finally {
            ready.completeExceptionally(new EmbeddedKafkaException("the broker process ended before it was ready"));
        }
    }

    private void keep(String line) {
        synchronized (tail) {
            tail.addLast(line);
            if (tail.size() > LINES_KEPT) {
                tail.removeFirst();
            }
        }
    }
}
