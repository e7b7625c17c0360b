package dev.baton.kafka.embedded;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The server properties of a node on a small machine: few threads, nothing allocated ahead, nothing created that was
 * not asked for. Immutable.
 *
 * @param hosts where they listen, by node
 * @param ports of all brokers, by node, then of all controllers; with links then of all brokers again, for clients
 * @param links ports in front of these, where a network can be faulty: of all brokers, by node, for clients, then for the
 *     other brokers; empty: none
 * @param listeners how they are secured
 * @param extra go before what is set here
 */
record NodeProperties(
        List<String> hosts, int[] ports, int[] links, SecuredListeners listeners, Map<String, String> extra) {
    static final String BROKER_LISTENER = "BROKER";
    static final String CLIENT_LISTENER = "CLIENT";
    static final String CONTROLLER_LISTENER = "CONTROLLER";

    private static final String INDEX_BYTES = Integer.toString(1024 * 1024);

    /** Without links, all on loopback. */
    NodeProperties(int[] ports, SecuredListeners listeners, Map<String, String> extra) {
        this(
                Collections.nCopies(ports.length / portsOf(1, false), EmbeddedKafkaOptions.LOOPBACK),
                ports,
                new int[0],
                listeners,
                extra);
    }

    /** Ports that a cluster of so many nodes needs. */
    static int portsOf(int nodes, boolean isLinked) {
        return nodes * (isLinked ? 3 : 2);
    }

    /** Addresses of all nodes, as a client wants them. */
    String bootstrapServers() {
        return IntStream.range(0, nodes())
                .mapToObj(node -> isLinked() ? EmbeddedKafkaOptions.LOOPBACK + ":" + links[node] : broker(node))
                .collect(Collectors.joining(","));
    }

    private boolean isLinked() {
        return links.length > 0;
    }

    private int nodes() {
        return ports.length / portsOf(1, isLinked());
    }

    /** Where a node listens to clients that come through its link. */
    int linkedClients(int node) {
        return ports[2 * nodes() + node];
    }

    /** Where a node listens to other brokers. */
    int linkedBrokers(int node) {
        return ports[node];
    }

    private String broker(int node) {
        return hosts.get(node) + ":" + ports[node];
    }

    private String controller(int node) {
        return hosts.get(node) + ":" + ports[nodes() + node];
    }

    Properties of(int node, Path directory) {
        Properties all = new Properties();
        cluster(all, node);
        listeners.addTo(all);
        threads(all);
        storage(all, directory);
        coordinators(all);
        all.putAll(extra);
        return all;
    }

    private void cluster(Properties all, int node) {
        String voters = IntStream.range(0, nodes())
                .mapToObj(voter -> voter + "@" + controller(voter))
                .collect(Collectors.joining(","));
        String broker = BROKER_LISTENER + "://" + broker(node);
        all.put("process.roles", "broker,controller");
        all.put("node.id", Integer.toString(node));
        all.put("controller.quorum.voters", voters);
        all.put("controller.listener.names", CONTROLLER_LISTENER);
        String bound = broker + "," + CONTROLLER_LISTENER + "://" + controller(node);
        String protocol = ":" + listeners.protocol();
        String protocols = BROKER_LISTENER + protocol + "," + CONTROLLER_LISTENER + protocol;
        if (isLinked()) {
            String clients = CLIENT_LISTENER + "://" + EmbeddedKafkaOptions.LOOPBACK + ":";
            bound += "," + clients + linkedClients(node);
            broker = BROKER_LISTENER + "://" + EmbeddedKafkaOptions.LOOPBACK + ":" + links[nodes() + node] + ","
                    + clients + links[node];
            protocols += "," + CLIENT_LISTENER + protocol;
        }
        all.put("listeners", bound);
        all.put("advertised.listeners", broker);
        all.put("inter.broker.listener.name", BROKER_LISTENER);
        all.put("listener.security.protocol.map", protocols);
        all.put("broker.heartbeat.interval.ms", "500");
        if (nodes() > 1) {
            failover(all);
        }
        // Without it a stopped node may not come back before its session has timed out, 9 s later.
        all.put("controlled.shutdown.enable", "true");
        all.put("controller.quorum.append.linger.ms", "2"); // topics are created one test at a time
    }

    /**
     * A lost node is replaced within seconds: Kafka's defaults of 9 s for a broker and of 2 s and 1 s for a controller are
     * for networks that stutter. Until the session ends, the others wait for its copy of what is written.
     */
    private static void failover(Properties all) {
        all.put("broker.session.timeout.ms", "3000");
        all.put("controller.quorum.fetch.timeout.ms", "1500");
        all.put("controller.quorum.election.timeout.ms", "500");
        all.put("controller.quorum.election.backoff.max.ms", "500");
    }

    private static void threads(Properties all) {
        all.put("num.network.threads", "1");
        all.put("num.io.threads", "2");
        all.put("background.threads", "2");
        all.put("num.recovery.threads.per.data.dir", "1");
        all.put("log.cleaner.threads", "1"); // to do without it is deprecated; it takes 128 MB unless told otherwise
        all.put("log.cleaner.dedupe.buffer.size", Integer.toString(2 * 1024 * 1024));
        all.put("log.cleaner.io.buffer.size", Integer.toString(64 * 1024));
        all.put("group.coordinator.threads", "1");
        all.put("group.coordinator.background.threads", "1");
        all.put("share.coordinator.threads", "1");
    }

    private void storage(Properties all, Path directory) {
        all.put("log.dirs", directory.toString());
        all.put("log.index.size.max.bytes", INDEX_BYTES);
        all.put("log.preallocate", "false");
        all.put("num.partitions", "1");
        all.put("auto.create.topics.enable", "false");
        all.put("default.replication.factor", Integer.toString(nodes()));
        all.put("min.insync.replicas", nodes() > 1 ? "2" : "1");
        all.put("log.segment.delete.delay.ms", "100");
    }

    private void coordinators(Properties all) {
        String replicas = Integer.toString(nodes());
        String inSync = nodes() > 1 ? "2" : "1";
        all.put("offsets.topic.num.partitions", "2");
        all.put("offsets.topic.replication.factor", replicas);
        all.put("offsets.topic.segment.bytes", Integer.toString(4 * 1024 * 1024));
        all.put("transaction.state.log.num.partitions", "2");
        all.put("transaction.state.log.replication.factor", replicas);
        all.put("transaction.state.log.min.isr", inSync);
        all.put("transaction.state.log.segment.bytes", Integer.toString(4 * 1024 * 1024));
        all.put("share.coordinator.state.topic.num.partitions", "1");
        all.put("share.coordinator.state.topic.replication.factor", replicas);
        all.put("share.coordinator.state.topic.min.isr", inSync);
        all.put("group.initial.rebalance.delay.ms", "0");
    }
}
