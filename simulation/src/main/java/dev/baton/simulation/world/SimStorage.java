package dev.baton.simulation.world;

import dev.baton.spi.errors.TransportException;
import java.util.Map;
import java.util.TreeMap;

/** The topics that all simulated processes share. Single-threaded. */
final class SimStorage {
    final Map<String, SimTopic> topics = new TreeMap<>();
    private long identities;

    SimTopic find(String name) {
        return topics.get(name);
    }

    SimTopic topic(String name) {
        SimTopic topic = topics.get(name);
        if (topic == null) {
            throw new TransportException("topic " + name + " does not exist");
        }
        return topic;
    }

    /** {@return the present sizes of topics by name: frames and markers} */
    Map<String, Integer> sizes() {
        Map<String, Integer> sizes = new TreeMap<>();
        topics.forEach((name, topic) -> sizes.put(name, topic.log.size()));
        return sizes;
    }

    void create(String name) {
        topics.put(name, new SimTopic(name, ++identities * 1_000_003));
    }

    void delete(String name) {
        topics.remove(name);
    }
}
