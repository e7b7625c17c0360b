package dev.baton.kafka.embedded;

import java.time.Duration;
import java.util.List;

/**
 * One node of a cluster whose other nodes run in other processes. Immutable, thread-safe.
 *
 * @param node its number, from 0
 * @param clusterId that all of them are formatted with
 * @param properties of all of them
 */
record ClusterMember(int node, String clusterId, NodeProperties properties) {
    /** Starts it in this JVM, over its folder of the cluster's directory. */
    BrokerNode start(WorkDirectory directory, Duration limit) {
        BrokerNode broker = new BrokerNode(node, properties.of(node, directory.ofNode(node)));
        broker.format(clusterId, directory.ofNode(node), properties.listeners().scramUsers());
        Together.run("start", List.of(broker), limit, BrokerNode::start);
        return broker;
    }
}
