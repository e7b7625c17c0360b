package dev.baton.kafka.connectors;

import dev.baton.Service;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A plain Kafka topic as the end of a chain: {@code chain.on(transport).onOutput(KafkaSink.to(topic))}. A message whose payload is a {@link
 * KafkaRecord#CODEC record} is written with its key, headers, timestamp and value; any other one with its payload as the value and its key.
 *
 * <p>Records with a key go where Kafka's default partitioner puts the key, so that Kafka Streams and others agree; those without one go to
 * the partition of the chain's number. A chain's partition is written in order.
 *
 * <p>By default each batch is a transaction that also stores the chain's position in the target's cluster: with a chain over a durable
 * transport readers see every output once with {@code isolation.level=read_committed}, whenever the process was killed. An output is
 * acknowledged in the chain when its transaction is committed. Of two processes that run the same sink, the newer continues, and the other
 * fails. Immutable, thread-safe.
 */
public final class KafkaSink implements Supplier<Service> {
    private static final char SEPARATOR = '/'; // in no topic's name

    private final KafkaTopic topic;
    private final String name; // null: named after the chain's topic
    private final boolean isTransactional;

    private KafkaSink(KafkaTopic topic, String name, boolean isTransactional) {
        this.topic = Objects.requireNonNull(topic, "topic");
        this.name = name;
        this.isTransactional = isTransactional;
    }

    /**
     * {@return a sink that writes to this topic}
     *
     * @param topic which has to exist
     */
    public static KafkaSink to(KafkaTopic topic) {
        return new KafkaSink(topic, null, true);
    }

    /**
     * Sets the name under which the cluster stores the chain's position, {@code baton-sink} by default; the chain's topic and the target
     * are added to it. The transactional id and the group id begin with it. Chains with the same name need different ones where they write
     * to the same topic.
     *
     * @param value other than that of every other such chain
     * @return a sink with that name; this one is unchanged
     */
    public KafkaSink named(String value) {
        return new KafkaSink(topic, Objects.requireNonNull(value, "name"), isTransactional);
    }

    /**
     * Writes without transactions: for clusters that do not allow them, and for readers that must not wait for them. After a crash, outputs
     * that were not acknowledged are written again, in order after the existing ones. A record that cannot be delivered is retried without
     * limit, so that no later record can overtake it.
     *
     * @return a sink that does so; this one is unchanged
     */
    public KafkaSink atLeastOnce() {
        return new KafkaSink(topic, name, false);
    }

    /** The service that writes the outputs of one partition; the chain calls this. */
    @Override
    public Service get() {
        return new OutputHandOff(this);
    }

    KafkaTopic topic() {
        return topic;
    }

    boolean isTransactional() {
        return isTransactional;
    }

    String idOf(String input) {
        return (name == null ? "baton-sink" : name) + SEPARATOR + input + SEPARATOR + topic.name();
    }
}
