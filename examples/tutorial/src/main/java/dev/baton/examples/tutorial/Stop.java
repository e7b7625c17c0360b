package dev.baton.examples.tutorial;

import java.util.concurrent.CompletableFuture;

/** The request to end this process, by SIGTERM or Ctrl-C. The process ends when this object is closed. Thread-safe. */
final class Stop implements AutoCloseable {
    private final CompletableFuture<Void> requested = new CompletableFuture<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    private Stop() {}

    static Stop onSignal() {
        Stop stop = new Stop();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            stop.requested.complete(null);
            stop.closed.join();
        }));
        return stop;
    }

    void await() {
        requested.join();
    }

    @Override
    public void close() {
        closed.complete(null);
    }
}
