package dev.baton.kafka.embedded;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.common.TopicPartitionInfo;

/**
 * A cluster of one or three brokers, each in a JVM of its own, so that one of them can be killed and started again.
 *
 * <p>A broker comes back on its port and over its directory. All of them end when this object is closed and also when
 * this process dies without a word. Thread-safe.
 */
public final class BrokerCluster implements AutoCloseable {
    private final BrokerProcessOptions options;
    private final WorkDirectory directory;
    private final FaultyLink[] links; // in front of each broker for clients, then for other brokers; empty: none
    private final BrokerProcess[] brokers; // guarded by this
    private List<ChildSetup.Member> members = List.of(); // set before the constructor's caller sees this
    private boolean isClosed; // guarded by this

    private BrokerCluster(BrokerProcessOptions options) {
        this.options = options;
        this.directory = WorkDirectory.of(options.kafka().directory());
        this.brokers = new BrokerProcess[options.kafka().nodes()];
        this.links = new FaultyLink[options.isLinked() ? 2 * brokers.length : 0];
    }

    /**
     * Starts all brokers and returns when each of them takes requests.
     *
     * @throws IllegalArgumentException for options that ask for security
     * @throws EmbeddedKafkaException when one does not within the start timeout; nothing is left behind then
     */
    public static BrokerCluster start(BrokerProcessOptions options) {
        if (options.kafka().security().isPresent()) {
            throw new IllegalArgumentException(
                    "a cluster of several processes cannot be secured yet; BrokerProcess and EmbeddedKafka can");
        }
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
     * The network from the other brokers to a broker, which fetch from it what it leads. What it fetches itself takes theirs.
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

    /** Addresses of all brokers, also of those that are down: {@code 127.0.0.1:20001,127.0.0.1:20003}. */
    public String bootstrapServers() {
        return members.get(0).properties().bootstrapServers();
    }

    /** Brokers of the cluster, numbered from 0. */
    public int nodes() {
        return brokers.length;
    }

    /** Of the broker's process now, or of the last one that it had. */
    public synchronized long pid(int broker) {
        return brokers[checked(broker)].pid();
    }

    /** Of all brokers that are up. */
    public synchronized List<Long> pids() {
        return Arrays.stream(brokers)
                .filter(BrokerProcess::isAlive)
                .map(BrokerProcess::pid)
                .toList();
    }

    public synchronized boolean isAlive(int broker) {
        return brokers[checked(broker)].isAlive();
    }

    /** Ends a broker's process without a word, as SIGKILL does, and returns when it is gone. Its files stay. */
    public synchronized void kill(int broker) {
        brokers[checked(broker)].kill();
    }

    /** Ends a broker in good order, within 30 seconds: it hands its leaderships over. Its files stay. */
    public synchronized void stop(int broker) {
        brokers[checked(broker)].stopAndKeep();
    }

    /**
     * Starts a broker that is down over its directory, and returns when it takes requests and is in sync with the others
     * again, so that the next one may be lost. Does nothing when it is up.
     *
     * <p>Of three brokers one other has to be up, for a quorum of two. After a kill the cluster takes the broker back only
     * when the session of its last life has ended.
     *
     * @throws EmbeddedKafkaException when it does not within the start timeout
     */
    public synchronized void restart(int broker) {
        if (isClosed) {
            throw new IllegalStateException("the cluster is closed");
        }
        if (!brokers[checked(broker)].isAlive()) {
            long deadline = System.nanoTime() + options.kafka().startTimeout().toNanos();
            BrokerProcess starting = BrokerProcess.launch(options, directory, members.get(broker));
            brokers[broker] = starting;
            starting.awaitReady(left(deadline));
            Replicas.awaitInSync(broker, bootstrapServers(), left(deadline));
        }
    }

    /** Ends all brokers at once, gently, after 30 seconds by force, and removes a temporary directory. Idempotent. */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        endAll();
        for (FaultyLink link : links) {
            if (link != null) {
                link.close();
            }
        }
        directory.release();
    }

    private void startAll() {
        String clusterId = directory.clusterId();
        for (int i = 0; i < links.length; i++) {
            links[i] = FaultyLink.open();
        }
        int[] fronts = Arrays.stream(links).mapToInt(FaultyLink::port).toArray();
        FreePorts.startOn(
                () -> FreePorts.chooseLasting(NodeProperties.portsOf(brokers.length, options.isLinked())),
                ports -> {
                    NodeProperties properties = new NodeProperties(
                            options.hosts(),
                            ports,
                            fronts,
                            SecuredListeners.none(),
                            options.kafka().properties());
                    lead(properties);
                    members = IntStream.range(0, brokers.length)
                            .mapToObj(node -> new ChildSetup.Member(node, clusterId, properties))
                            .toList();
                    launchAll();
                },
                this::endAll);
    }

    private void lead(NodeProperties properties) {
        if (options.isLinked()) {
            for (int i = 0; i < brokers.length; i++) {
                linkToClients(i).leadTo(properties.linkedClients(i));
                linkToBrokers(i).leadTo(properties.linkedBrokers(i));
            }
        }
    }

    private void launchAll() {
        long deadline = System.nanoTime() + options.kafka().startTimeout().toNanos();
        for (int i = 0; i < brokers.length; i++) {
            brokers[i] = BrokerProcess.launch(options, directory, members.get(i));
        }
        for (BrokerProcess broker : brokers) {
            broker.awaitReady(left(deadline));
        }
    }

    private static Duration left(long deadline) {
        return Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
    }

    /** All together: a node that is left without the others takes its time to stop. */
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

    /** Looks at the copies that a broker keeps. Stateless, thread-safe. */
    private static final class Replicas {
        private static final long PAUSE_NANOS = 20_000_000;

        private Replicas() {}

        /**
         * Waits until every copy that a broker is to keep is in sync again.
         *
         * @throws EmbeddedKafkaException when one is not in time
         */
        static void awaitInSync(int broker, String bootstrapServers, Duration limit) {
            long deadline = System.nanoTime() + limit.toNanos();
            try (Admin admin =
                    Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, (Object) bootstrapServers))) {
                while (true) {
                    long lagging = lagging(admin, broker, deadline);
                    if (lagging == 0) {
                        return;
                    }
                    if (System.nanoTime() - deadline > 0) {
                        throw new EmbeddedKafkaException("broker " + broker + " was not in sync within "
                                + limit.toMillis() + " ms: " + lagging + " of its copies lagged");
                    }
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new EmbeddedKafkaException("interrupted while broker " + broker + " came back", interrupted);
            }
        }

        /** Copies that are not in sync; one at least when the cluster does not answer. */
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
}
