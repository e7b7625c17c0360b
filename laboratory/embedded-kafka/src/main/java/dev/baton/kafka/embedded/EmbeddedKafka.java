package dev.baton.kafka.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * A Kafka cluster of one or three KRaft nodes in this JVM, on loopback.
 *
 * <p>These are the production classes, so whatever holds for a client of this holds for a client of Kafka; only figures
 * do not, since broker and client share one heap. A fatal fault of a node does not end the JVM: {@link #fault} has it
 * and {@link #close} throws it. {@link #close} leaves no thread but the two daemons of the metrics library that Kafka
 * uses, which are the JVM's for good, and no file unless a directory was given. Thread-safe.
 */
public final class EmbeddedKafka implements AutoCloseable {
    private static final int START_ATTEMPTS = 4;
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    private final EmbeddedKafkaOptions options;
    private final IntFunction<int[]> ports;
    private final WorkDirectory directory;
    private final AtomicReference<Throwable> fault = new AtomicReference<>();
    private final Consumer<Throwable> faultListener = failure -> fault.compareAndSet(null, failure);
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private List<BrokerNode> nodes = List.of(); // set before the constructor's caller sees this
    private String bootstrapServers = "";

    private EmbeddedKafka(EmbeddedKafkaOptions options, IntFunction<int[]> ports) {
        this.options = options;
        this.ports = ports;
        this.directory = WorkDirectory.of(options.directory());
    }

    /** Starts one node over a temporary directory. */
    public static EmbeddedKafka start() {
        return start(EmbeddedKafkaOptions.defaults());
    }

    /**
     * Starts a cluster and returns when every node takes requests.
     *
     * @throws EmbeddedKafkaException when it does not within the start timeout; nothing is left behind then
     */
    public static EmbeddedKafka start(EmbeddedKafkaOptions options) {
        return start(options, FreePorts::choose);
    }

    /** With ports from elsewhere, so that tests can have some that are taken. */
    static EmbeddedKafka start(EmbeddedKafkaOptions options, IntFunction<int[]> ports) {
        EmbeddedKafka kafka = new EmbeddedKafka(options, ports);
        FatalFaults.listen(kafka.faultListener);
        return kafka.startOrClose();
    }

    /** Starts a cluster whose fatal faults end the JVM once it has started, as Kafka does by itself. */
    static EmbeddedKafka startFatal(EmbeddedKafkaOptions options) {
        EmbeddedKafka kafka = start(options);
        FatalFaults.forget(kafka.faultListener);
        return kafka;
    }

    /** Addresses of all nodes, also of stopped ones: {@code 127.0.0.1:40001,127.0.0.1:40003}. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** The authority whose certificates a client has to trust, PEM, until the close; empty when nothing is encrypted. */
    public Optional<Path> authority() {
        return directory.authority(options);
    }

    /** Nodes of the cluster, numbered from 0. */
    public int nodes() {
        return options.nodes();
    }

    public boolean isRunning(int node) {
        return nodes.get(node).isRunning();
    }

    /** Stops one node in good order: it hands its leaderships over. Does nothing when it is stopped. */
    public void stopNode(int node) {
        Together.run("stop", List.of(nodes.get(node)), STOP_LIMIT, BrokerNode::stop);
    }

    /** Starts a stopped node on its port and its logs. Does nothing when it runs. */
    public void startNode(int node) {
        if (isClosed.get()) {
            throw new IllegalStateException("the cluster is closed");
        }
        Together.run("start", List.of(nodes.get(node)), options.startTimeout(), BrokerNode::start);
    }

    /** The first fatal fault of any broker in this JVM since the start; Kafka would have ended the process. */
    public Optional<Throwable> fault() {
        return Optional.ofNullable(fault.get());
    }

    /**
     * Stops all nodes, within 30 seconds, and removes a temporary directory. Idempotent.
     *
     * @throws EmbeddedKafkaException when a node did not stop or had a fatal fault
     */
    @Override
    public void close() {
        if (!isClosed.compareAndSet(false, true)) {
            return;
        }
        try {
            Together.run("stop", nodes, STOP_LIMIT, BrokerNode::stop);
        } finally {
            FatalFaults.forget(faultListener);
            directory.release();
        }
        Throwable fatal = fault.get();
        if (fatal != null) {
            throw new EmbeddedKafkaException("the cluster had a fatal fault: " + fatal.getMessage(), fatal);
        }
    }

    private EmbeddedKafka startOrClose() {
        try {
            startNodes();
            return this;
        } catch (RuntimeException failure) {
            closeAfter(failure);
            throw failure;
        }
    }

    private void startNodes() {
        String clusterId = directory.clusterId();
        SecuredListeners secured = options.security().isEmpty()
                ? SecuredListeners.none()
                : new SecuredListeners(options.security(), BrokerCertificate.make(directory.path()));
        for (int attempt = 1; ; attempt++) {
            int[] chosen = ports.apply(2 * options.nodes());
            prepare(clusterId, secured, chosen);
            try {
                Together.run("start", nodes, options.startTimeout(), BrokerNode::start);
                return;
            } catch (EmbeddedKafkaException failure) {
                Together.run("stop", nodes, STOP_LIMIT, BrokerNode::stop);
                if (attempt == START_ATTEMPTS || FreePorts.areFree(chosen)) {
                    throw failure;
                }
                fault.set(null); // what a taken port led to
            }
        }
    }

    private void prepare(String clusterId, SecuredListeners secured, int[] chosen) {
        int count = options.nodes();
        NodeProperties properties = new NodeProperties(
                Arrays.copyOf(chosen, count),
                Arrays.copyOfRange(chosen, count, 2 * count),
                secured,
                options.properties());
        List<BrokerNode> prepared = new ArrayList<>();
        for (int node = 0; node < count; node++) {
            BrokerNode broker = new BrokerNode(node, properties.of(node, directory.ofNode(node)));
            broker.format(clusterId, directory.ofNode(node), secured.scramUsers());
            prepared.add(broker);
        }
        nodes = List.copyOf(prepared);
        bootstrapServers = properties.bootstrapServers();
    }

    private void closeAfter(RuntimeException failure) {
        try {
            close();
        } catch (RuntimeException atClose) {
            failure.addSuppressed(atClose);
        }
    }
}
