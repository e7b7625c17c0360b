package dev.baton.kafka.embedded;

import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import kafka.server.BrokerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;
import scala.Option;

/**
 * One node, broker and controller in one: formatted once, then started and stopped any number of times. Thread-safe.
 */
final class BrokerNode {
    /** The time for finding other leaders: a node without a quorum of controllers would wait five minutes. */
    private static final Duration HANDOVER_LIMIT = Duration.ofSeconds(5);

    private final Properties properties;
    private KafkaRaftServer server; // null while stopped

    /**
     * Creates a node; a log directory that has the identities of the cluster and of the node is not changed, with its users.
     *
     * @param scramUsers in the notation of the formatter
     */
    BrokerNode(Properties properties, String clusterId, List<String> scramUsers) {
        this.properties = properties;
        String directory = properties.getProperty("log.dirs");
        int node = Integer.parseInt(properties.getProperty("node.id"));
        try {
            Formatter formatter = new Formatter()
                    .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                    .setNodeId(node)
                    .setClusterId(clusterId)
                    .setReleaseVersion(MetadataVersion.LATEST_PRODUCTION)
                    .setControllerListenerName(NodeProperties.CONTROLLER_LISTENER)
                    .setDirectories(List.of(directory))
                    .setMetadataLogDirectory(directory)
                    .setIgnoreFormatted(true);
            if (!scramUsers.isEmpty()) {
                formatter.setScramArguments(scramUsers);
            }
            formatter.run();
        } catch (Exception failure) {
            throw new EmbeddedKafkaException("node " + node + " could not be formatted in " + directory, failure);
        }
    }

    /** {@return the directory of its logs} */
    Path folder() {
        return Path.of(properties.getProperty("log.dirs"));
    }

    synchronized void start() {
        if (server != null) {
            return;
        }
        KafkaRaftServer starting = new KafkaRaftServer(KafkaConfig.fromProps(properties, false), Time.SYSTEM);
        try {
            starting.startup();
            server = starting;
        } catch (RuntimeException | Error failure) {
            try {
                shutdown(starting);
            } catch (RuntimeException | Error atShutdown) {
                failure.addSuppressed(atShutdown);
            }
            throw failure;
        }
    }

    /** Stops the node, after its leaderships were handed over or after 5 s. Does nothing when it is stopped. */
    synchronized void stop() {
        if (server == null) {
            return;
        }
        KafkaRaftServer stopping = server;
        server = null;
        shutdown(stopping);
        stopping.awaitShutdown();
    }

    /** The server's own shutdown has no configurable limit; that of the broker within it has one. */
    @SuppressWarnings("unchecked")
    private static void shutdown(KafkaRaftServer server) {
        try {
            Field field = KafkaRaftServer.class.getDeclaredField("broker");
            field.setAccessible(true);
            Option<BrokerServer> broker = (Option<BrokerServer>) field.get(server);
            broker.get().shutdown(HANDOVER_LIMIT);
        } catch (ReflectiveOperationException failure) {
            throw new EmbeddedKafkaException("this version of Kafka keeps its broker elsewhere", failure);
        } finally {
            server.shutdown();
        }
    }

    synchronized boolean isRunning() {
        return server != null;
    }

    /**
     * Runs an action on several nodes at once, each on a daemon thread, within a time. Waits for all, even after one failed; the first
     * failure is thrown and carries the others.
     *
     * @param verb for the threads' names and the text of a timeout
     */
    static void together(String verb, List<BrokerNode> nodes, Duration limit, Consumer<BrokerNode> action) {
        long deadline = System.nanoTime() + limit.toNanos();
        List<CompletableFuture<Void>> running = nodes.stream()
                .map(node -> CompletableFuture.runAsync(() -> action.accept(node), task -> startThread(task, verb)))
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

    private static void startThread(Runnable task, String verb) {
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
