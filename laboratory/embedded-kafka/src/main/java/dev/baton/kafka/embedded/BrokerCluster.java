package dev.baton.kafka.embedded;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.common.TopicPartitionInfo;

/**
 * A cluster of one or three brokers, each in a separate JVM, so that they share neither heap nor JIT with their clients, and one of them
 * can be killed and started again.
 *
 * <p>A broker restarts on its port and over its directory. All of them end when this object is closed, and also when this process is
 * killed. Thread-safe.
 */
public final class BrokerCluster implements AutoCloseable {
    private static final long PAUSE_NANOS = 20_000_000;

    private final BrokerProcessOptions options;
    private final WorkDirectory directory;
    private final FaultyLink[] links; // in front of each broker for clients, then for other brokers; empty: none
    private final BrokerProcess[] brokers; // guarded by this
    private NodeProperties properties; // of all nodes; set before the constructor's caller sees this, like the next one
    private String clusterId;
    private boolean isClosed; // guarded by this

    private BrokerCluster(BrokerProcessOptions options) {
        this.options = options;
        this.directory = WorkDirectory.of(options.kafka().directory());
        this.brokers = new BrokerProcess[options.kafka().nodes()];
        this.links = new FaultyLink[options.isLinked() ? 2 * brokers.length : 0];
    }

    /** Starts one broker over a temporary directory. */
    public static BrokerCluster start() {
        return start(BrokerProcessOptions.defaults());
    }

    /**
     * Starts all brokers and returns when each of them accepts requests.
     *
     * @throws EmbeddedKafkaException when one does not within the start timeout: the text ends with the last lines that its process
     * printed; everything is removed
     */
    public static BrokerCluster start(BrokerProcessOptions options) {
        BrokerCluster cluster = new BrokerCluster(options);
        try {
            cluster.startAll();
            return cluster;
        } catch (RuntimeException failure) {
            cluster.close();
            throw failure;
        }
    }

    /**
     * The network between clients and a broker.
     *
     * @throws IllegalStateException for a cluster that was started without links
     */
    public FaultyLink linkToClients(int broker) {
        return link(checked(broker));
    }

    /**
     * The network from the other brokers to a broker, through which they fetch the partitions that it leads. Its own fetches use the links
     * of the others.
     *
     * @throws IllegalStateException for a cluster that was started without links
     */
    public FaultyLink linkToBrokers(int broker) {
        return link(brokers.length + checked(broker));
    }

    private FaultyLink link(int index) {
        if (links.length == 0) {
            throw new IllegalStateException("this cluster was started without links");
        }
        return links[index];
    }

    /** Addresses of all brokers, including those that are down: {@code 127.0.0.1:20001,127.0.0.1:20003}. */
    public String bootstrapServers() {
        return properties.bootstrapServers();
    }

    /** The authority whose certificates a client has to trust, PEM, until the close; empty without encryption. */
    public Optional<Path> authority() {
        return directory.authority(options.kafka());
    }

    /** The number of brokers of the cluster, which are numbered from 0. */
    public int nodes() {
        return brokers.length;
    }

    /** {@return the id of the broker's present process, or of its last one} */
    public synchronized long pid(int broker) {
        return brokers[checked(broker)].pid();
    }

    /** {@return the ids of all brokers that are up} */
    public synchronized List<Long> pids() {
        return Arrays.stream(brokers)
                .filter(BrokerProcess::isAlive)
                .map(BrokerProcess::pid)
                .toList();
    }

    public synchronized boolean isAlive(int broker) {
        return brokers[checked(broker)].isAlive();
    }

    /** The last lines that a broker's process printed, for error texts. */
    public synchronized String lastOutput(int broker) {
        return brokers[checked(broker)].lastOutput();
    }

    /** Kills a broker's process, as SIGKILL does, and returns when it has ended. Its files remain. */
    public synchronized void kill(int broker) {
        brokers[checked(broker)].kill();
    }

    /**
     * Starts a broker that is down over its directory, and returns when it accepts requests and is in sync with the others again, so that
     * another one may fail. Does nothing when it is up.
     *
     * <p>Of three brokers one other has to be up, for a quorum of two. After a kill the cluster accepts the broker only when its former
     * session has ended.
     *
     * @throws EmbeddedKafkaException when it does not within the start timeout
     */
    public synchronized void restart(int broker) {
        if (isClosed) {
            throw new IllegalStateException("the cluster is closed");
        }
        if (!brokers[checked(broker)].isAlive()) {
            long deadline = System.nanoTime() + options.kafka().startTimeout().toNanos();
            brokers[broker] = launch(broker);
            brokers[broker].awaitReady(deadline, options.kafka().startTimeout());
            awaitInSync(broker, deadline);
        }
    }

    /** Ends all brokers at once, in good order, after 30 seconds by force, and removes a temporary directory. Idempotent. */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        endAll();
        Arrays.stream(links).filter(Objects::nonNull).forEach(FaultyLink::close);
        directory.release();
    }

    private void startAll() {
        clusterId = directory.clusterId();
        SecuredListeners listeners = SecuredListeners.of(options.kafka().security(), directory.path());
        for (int i = 0; i < links.length; i++) {
            links[i] = FaultyLink.open();
        }
        int[] fronts = Arrays.stream(links).mapToInt(FaultyLink::port).toArray();
        FreePorts.startOn(
                () -> FreePorts.choose(NodeProperties.portsOf(brokers.length, options.isLinked())),
                ports -> {
                    properties = new NodeProperties(
                            options.hosts(),
                            ports,
                            fronts,
                            listeners,
                            options.kafka().properties());
                    for (int i = 0; i < links.length / 2; i++) {
                        linkToClients(i).leadTo(properties.linkedClients(i));
                        linkToBrokers(i).leadTo(properties.linkedBrokers(i));
                    }
                    launchAll();
                },
                this::endAll);
    }

    private void launchAll() {
        long deadline = System.nanoTime() + options.kafka().startTimeout().toNanos();
        Arrays.setAll(brokers, this::launch);
        for (BrokerProcess broker : brokers) {
            broker.awaitReady(deadline, options.kafka().startTimeout());
        }
    }

    private BrokerProcess launch(int broker) {
        ChildSetup setup = new ChildSetup(
                properties.of(broker, directory.ofNode(broker)),
                clusterId,
                properties.listeners().scramUsers(),
                options.kafka().startTimeout(),
                directory.isTemporary());
        return new BrokerProcess(options, broker, setup);
    }

    /** Ends all brokers together, as a node without the others takes long to stop. */
    private void endAll() {
        List<BrokerProcess> running =
                Arrays.stream(brokers).filter(Objects::nonNull).toList();
        running.forEach(BrokerProcess::askToStop);
        running.forEach(BrokerProcess::awaitEnd);
    }

    private int checked(int broker) {
        if (broker < 0 || broker >= brokers.length) {
            throw new IllegalArgumentException("broker " + broker + "; 0 to " + (brokers.length - 1) + " are there");
        }
        return broker;
    }

    /**
     * Waits until every copy of a broker is in sync again.
     *
     * @throws EmbeddedKafkaException when one is not in time
     */
    private void awaitInSync(int broker, long deadline) {
        Properties client = properties.listeners().administrator();
        client.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers());
        try (Admin admin = Admin.create(client)) {
            for (long lagging = lagging(admin, broker, deadline);
                    lagging > 0;
                    lagging = lagging(admin, broker, deadline)) {
                if (System.nanoTime() - deadline > 0) {
                    throw new EmbeddedKafkaException("broker " + broker + " was not in sync within "
                            + options.kafka().startTimeout().toMillis() + " ms: " + lagging + " of its copies lagged");
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new EmbeddedKafkaException("interrupted while broker " + broker + " came back", interrupted);
        }
    }

    /** Returns the number of copies that are not in sync; one at least when the cluster does not respond. */
    private static long lagging(Admin admin, int broker, long deadline) throws InterruptedException {
        long left = Math.max(1, deadline - System.nanoTime());
        try {
            Set<String> topics = admin.listTopics(new ListTopicsOptions().listInternal(true))
                    .names()
                    .get(left, TimeUnit.NANOSECONDS);
            return admin.describeTopics(topics).allTopicNames().get(left, TimeUnit.NANOSECONDS).values().stream()
                    .flatMap(topic -> topic.partitions().stream())
                    .filter(partition -> isLagging(partition, broker))
                    .count();
        } catch (ExecutionException | TimeoutException notYet) {
            return 1;
        }
    }

    private static boolean isLagging(TopicPartitionInfo partition, int broker) {
        return partition.replicas().stream().anyMatch(node -> node.id() == broker)
                && partition.isr().stream().noneMatch(node -> node.id() == broker);
    }
}
