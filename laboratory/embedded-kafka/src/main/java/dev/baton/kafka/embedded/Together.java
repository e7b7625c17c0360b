package dev.baton.kafka.embedded;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Does one thing to several nodes at once, each on a daemon thread of its own, within a time. Thread-safe. */
final class Together {
    private Together() {}

    /**
     * Waits for all, also after one failed; the first failure comes first and carries the others.
     *
     * @param verb for the threads' names and the text of a timeout
     */
    static void run(String verb, List<BrokerNode> nodes, Duration limit, Consumer<BrokerNode> action) {
        long deadline = System.nanoTime() + limit.toNanos();
        List<CompletableFuture<Void>> running = nodes.stream()
                .map(node -> CompletableFuture.runAsync(() -> action.accept(node), task -> start(task, verb)))
                .toList();
        EmbeddedKafkaException failure = null;
        for (CompletableFuture<Void> done : running) {
            EmbeddedKafkaException one = await(done, verb, limit, deadline);
            if (failure == null) {
                failure = one;
            } else if (one != null) {
                failure.addSuppressed(one);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static void start(Runnable task, String verb) {
        Thread thread = new Thread(task, "embedded-kafka-" + verb);
        thread.setDaemon(true);
        thread.start();
    }

    private static EmbeddedKafkaException await(
            CompletableFuture<Void> done, String verb, Duration limit, long deadline) {
        try {
            done.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            return null;
        } catch (ExecutionException failure) {
            return new EmbeddedKafkaException(
                    "a broker failed to " + verb + ": " + failure.getCause().getMessage(), failure.getCause());
        } catch (TimeoutException late) {
            return new EmbeddedKafkaException("a broker did not " + verb + " within " + limit.toSeconds() + " s");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new EmbeddedKafkaException("interrupted while a broker was about to " + verb, interrupted);
        }
    }
}
