package dev.baton.kafka.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The server properties of a node on a small machine: those of {@code node.properties}, and those that depend on the cluster. Immutable.
 *
 * @param hosts addresses on which they listen, by node
 * @param ports of all brokers, by node, then of all controllers; with links then of all brokers again, for clients
 * @param links ports in front of these, for faulty networks: of all brokers, by node, for clients, then for the other brokers; empty: none
 * @param extra properties that override these
 */
record NodeProperties(
        List<String> hosts, int[] ports, int[] links, SecuredListeners listeners, Map<String, String> extra) {
    static final String BROKER_LISTENER = "BROKER";
    static final String CLIENT_LISTENER = "CLIENT";
    static final String CONTROLLER_LISTENER = "CONTROLLER";

    /** {@return the number of ports of a cluster with this many nodes} */
    static int portsOf(int nodes, boolean isLinked) {
        return nodes * (isLinked ? 3 : 2);
    }

    /** {@return the addresses of all nodes, for clients} */
    String bootstrapServers() {
        return IntStream.range(0, nodes())
                .mapToObj(node -> isLinked() ? Loopback.HOST + ":" + links[node] : broker(node))
                .collect(Collectors.joining(","));
    }

    private boolean isLinked() {
        return links.length > 0;
    }

    private int nodes() {
        return ports.length / portsOf(1, isLinked());
    }

    /** {@return the port of a node for clients that connect through its link} */
    int linkedClients(int node) {
        return ports[2 * nodes() + node];
    }

    /** {@return the port of a node for other brokers} */
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
        try (InputStream ofEveryNode = NodeProperties.class.getResourceAsStream("node.properties")) {
            all.load(ofEveryNode);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("the properties of every node", unreadable);
        }
        all.put("log.dirs", directory.toString());
        cluster(all, node);
        replication(all);
        listeners.addTo(all);
        all.putAll(extra);
        return all;
    }

    private void cluster(Properties all, int node) {
        String voters = IntStream.range(0, nodes())
                .mapToObj(voter -> voter + "@" + controller(voter))
                .collect(Collectors.joining(","));
        String broker = BROKER_LISTENER + "://" + broker(node);
        all.put("node.id", Integer.toString(node));
        all.put("controller.quorum.voters", voters);
        all.put("controller.listener.names", CONTROLLER_LISTENER);
        String bound = broker + "," + CONTROLLER_LISTENER + "://" + controller(node);
        String protocol = ":" + listeners.protocol();
        String protocols = BROKER_LISTENER + protocol + "," + CONTROLLER_LISTENER + protocol;
        if (isLinked()) {
            String clients = CLIENT_LISTENER + "://" + Loopback.HOST + ":";
            bound += "," + clients + linkedClients(node);
            broker =
                    BROKER_LISTENER + "://" + Loopback.HOST + ":" + links[nodes() + node] + "," + clients + links[node];
            protocols += "," + CLIENT_LISTENER + protocol;
        }
        all.put("listeners", bound);
        all.put("advertised.listeners", broker);
        all.put("inter.broker.listener.name", BROKER_LISTENER);
        all.put("listener.security.protocol.map", protocols);
        if (nodes() > 1) {
            failover(all);
        }
    }

    /**
     * A lost node is replaced within seconds: Kafka's defaults of 9 s for a broker and of 2 s and 1 s for a controller are for unstable
     * networks. Until the session ends, the others wait for its copy of each write.
     */
    private static void failover(Properties all) {
        all.put("broker.session.timeout.ms", "3000");
        all.put("controller.quorum.fetch.timeout.ms", "1500");
        all.put("controller.quorum.election.timeout.ms", "500");
        all.put("controller.quorum.election.backoff.max.ms", "500");
    }

    private void replication(Properties all) {
        String replicas = Integer.toString(nodes());
        String inSync = nodes() > 1 ? "2" : "1";
        all.put("default.replication.factor", replicas);
        all.put("min.insync.replicas", inSync);
        all.put("offsets.topic.replication.factor", replicas);
        for (String state : List.of("transaction.state.log", "share.coordinator.state.topic")) {
            all.put(state + ".replication.factor", replicas);
            all.put(state + ".min.isr", inSync);
        }
    }
}
