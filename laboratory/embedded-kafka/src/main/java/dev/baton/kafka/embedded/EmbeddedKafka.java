package dev.baton.kafka.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.utils.internals.Exit;
import org.apache.kafka.storage.internals.log.LogConfig;

/**
 * A Kafka cluster of one or three KRaft nodes in this JVM, on loopback.
 *
 * <p>These are the production classes, so a client behaves as with any Kafka; only figures differ, since broker and client share one heap.
 * A fatal fault of a node does not end the JVM: {@link #fault} returns it and {@link #close} throws it. {@link #close} leaves no thread
 * except the two daemons of the metrics library that Kafka uses, which exist as long as the JVM, and no file unless a directory was given.
 * Thread-safe.
 */
public final class EmbeddedKafka implements AutoCloseable {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(60);

    private final EmbeddedKafkaOptions options;
    private final WorkDirectory directory;
    private final AtomicReference<Throwable> fault = new AtomicReference<>();
    private final Consumer<Throwable> faultListener = failure -> fault.compareAndSet(null, failure);
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private List<BrokerNode> nodes = List.of(); // set before the constructor's caller sees this
    private String bootstrapServers = "";

    private EmbeddedKafka(EmbeddedKafkaOptions options) {
        this.options = options;
        this.directory = WorkDirectory.of(options.directory());
    }

    /**
     * Checks settings of a topic as a broker does when it creates one; starts none.
     *
     * @throws IllegalArgumentException for a setting or a value that a broker refuses
     */
    public static void requireTopicSettings(Map<String, String> settings) {
        try {
            LogConfig.validate(settings);
        } catch (InvalidConfigurationException | ConfigException refused) {
            throw new IllegalArgumentException(refused.getMessage(), refused);
        }
    }

    /** Starts one node over a temporary directory. */
    public static EmbeddedKafka start() {
        return start(EmbeddedKafkaOptions.defaults());
    }

    /**
     * Starts a cluster and returns when every node accepts requests.
     *
     * @throws EmbeddedKafkaException when it does not within the start timeout; everything is removed
     */
    public static EmbeddedKafka start(EmbeddedKafkaOptions options) {
        return start(options, FreePorts::choose);
    }

    /** Starts a cluster on ports of a supplier, so that tests can supply ports that are taken. */
    static EmbeddedKafka start(EmbeddedKafkaOptions options, IntFunction<int[]> ports) {
        EmbeddedKafka kafka = new EmbeddedKafka(options);
        FatalFaults.listen(kafka.faultListener);
        try {
            RequestHistograms.register();
            kafka.startNodes(ports);
            return kafka;
        } catch (RuntimeException failure) {
            try {
                kafka.close();
            } catch (RuntimeException atClose) {
                failure.addSuppressed(atClose);
            }
            throw failure;
        }
    }

    /** Addresses of all nodes, including stopped ones: {@code 127.0.0.1:40001,127.0.0.1:40003}. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** The authority whose certificates a client has to trust, PEM, until the close; empty without encryption. */
    public Optional<Path> authority() {
        return directory.authority(options);
    }

    /** The number of nodes of the cluster, which are numbered from 0. */
    public int nodes() {
        return options.nodes();
    }

    public boolean isRunning(int node) {
        return nodes.get(node).isRunning();
    }

    /**
     * Stops one node in good order: it hands its leaderships over, within 5 seconds. Does nothing when it is stopped.
     */
    public void stopNode(int node) {
        BrokerNode.together("stop", List.of(nodes.get(node)), STOP_LIMIT, BrokerNode::stop);
    }

    /** Starts a stopped node on its port and its logs. Does nothing when it runs. */
    public void startNode(int node) {
        if (isClosed.get()) {
            throw new IllegalStateException("the cluster is closed");
        }
        BrokerNode.together("start", List.of(nodes.get(node)), options.startTimeout(), BrokerNode::start);
    }

    /** The first fatal fault of any broker in this JVM since the start; Kafka itself would end the process. */
    public Optional<Throwable> fault() {
        return Optional.ofNullable(fault.get());
    }

    /**
     * Stops all nodes, within 60 seconds, and removes a temporary directory. Idempotent.
     *
     * @throws EmbeddedKafkaException when a node did not stop or had a fatal fault
     */
    @Override
    public void close() {
        if (!isClosed.compareAndSet(false, true)) {
            return;
        }
        boolean wasInterrupted = Thread.interrupted(); // the files would be removed under nodes that still run
        try {
            BrokerNode.together("stop", nodes, STOP_LIMIT, BrokerNode::stop);
        } finally {
            FatalFaults.forget(faultListener);
            directory.release();
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
        Throwable fatal = fault.get();
        if (fatal != null) {
            throw new EmbeddedKafkaException("the cluster had a fatal fault: " + fatal.getMessage(), fatal);
        }
    }

    private void startNodes(IntFunction<int[]> ports) {
        String clusterId = directory.clusterId();
        SecuredListeners secured = SecuredListeners.of(options.security(), directory.path());
        FreePorts.startOn(
                () -> ports.apply(2 * options.nodes()),
                chosen -> {
                    fault.set(null); // the result of a taken port
                    List<String> hosts = Collections.nCopies(options.nodes(), Loopback.HOST);
                    NodeProperties properties =
                            new NodeProperties(hosts, chosen, new int[0], secured, options.properties());
                    nodes = IntStream.range(0, options.nodes())
                            .mapToObj(node -> new BrokerNode(
                                    properties.of(node, directory.ofNode(node)), clusterId, secured.scramUsers()))
                            .toList();
                    bootstrapServers = properties.bootstrapServers();
                    BrokerNode.together("start", nodes, options.startTimeout(), BrokerNode::start);
                },
                () -> BrokerNode.together("stop", nodes, STOP_LIMIT, BrokerNode::stop));
    }

    /**
     * Turns a broker's attempt to end the JVM into a failure that its owner is notified of.
     *
     * <p>Kafka ends the process on a fatal fault, through procedures that belong to the whole JVM; so does this set of listeners, which is
     * why it is static. While there are listeners, the thread that tried to exit gets an exception instead and every listener is notified,
     * since a fault does not name its node. Kafka's own procedures return with the removal of the last listener. Thread-safe.
     */
    private static final class FatalFaults {
        private static final Set<Consumer<Throwable>> LISTENERS = new LinkedHashSet<>();

        private FatalFaults() {}

        static void listen(Consumer<Throwable> listener) {
            synchronized (LISTENERS) {
                LISTENERS.add(listener);
                Exit.setExitProcedure((status, message) -> tell("exit", status, message));
                Exit.setHaltProcedure((status, message) -> tell("halt", status, message));
            }
        }

        static void forget(Consumer<Throwable> listener) {
            synchronized (LISTENERS) {
                LISTENERS.remove(listener);
                if (LISTENERS.isEmpty()) {
                    Exit.resetExitProcedure();
                    Exit.resetHaltProcedure();
                }
            }
        }

        private static void tell(String verb, int status, String message) {
            EmbeddedKafkaException fault = new EmbeddedKafkaException("thread '"
                    + Thread.currentThread().getName() + "' of the broker wanted to " + verb + " the JVM with status "
                    + status + (message == null ? "" : ": " + message));
            synchronized (LISTENERS) {
                LISTENERS.forEach(listener -> listener.accept(fault));
            }
            throw fault;
        }
    }
}
