package dev.baton.kafka.connectors;

import dev.baton.Serde;
import dev.baton.Source;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A plain Kafka topic as the source of a chain: {@code chain.on(transport).fromEach(KafkaSource.of(topic))}. Each partition of the topic
 * feeds the chain's partition of the same number, so that the order of a partition, and with it of a key, is preserved.
 *
 * <p>Each message is stored together with its record's offset, and a restarted chain continues after the newest one: over a durable
 * transport every record is fed once, whenever the process was killed. The offset is committed in Kafka for monitoring of the lag, and for
 * a chain whose topics are new, after what the records led to is stored. Over a transport that is not durable, in-flight messages are lost
 * with the process.
 *
 * <p>Transactions of producers are respected: aborted records are not read. Immutable, thread-safe.
 */
public final class KafkaSource implements Supplier<Source> {
    private final KafkaTopic topic;
    private final String group; // null: named after the chain
    private final boolean isFromNewest;
    private final boolean isValuesOnly;
    private final int type; // of the messages
    private final boolean isSkippingLost;

    private KafkaSource(
            KafkaTopic topic,
            String group,
            boolean isFromNewest,
            boolean isValuesOnly,
            int type,
            boolean isSkippingLost) {
        this.topic = Objects.requireNonNull(topic, "topic");
        this.group = group;
        this.isFromNewest = isFromNewest;
        this.isValuesOnly = isValuesOnly;
        this.type = type;
        this.isSkippingLost = isSkippingLost;
    }

    /**
     * {@return a source that reads the topic from its beginning the first time; messages have {@link KafkaRecord#CODEC
     * records} as their payloads}
     *
     * @param topic which has to exist
     */
    public static KafkaSource of(KafkaTopic topic) {
        return new KafkaSource(topic, null, false, false, KafkaRecord.TYPE, false);
    }

    /**
     * Sets the group under which offsets are committed, {@code baton-CHAIN-INSTANCE} by default. Under another name the chain reads from
     * what that group has committed. The group has no members.
     *
     * @param name of the group
     * @return a source with that group; this one is unchanged
     */
    public KafkaSource group(String name) {
        return new KafkaSource(
                topic, Objects.requireNonNull(name, "group"), isFromNewest, isValuesOnly, type, isSkippingLost);
    }

    /**
     * Starts, the first time, with the records that are written from then on.
     *
     * @return a source that does so; this one is unchanged
     */
    public KafkaSource fromNewest() {
        return new KafkaSource(topic, group, true, isValuesOnly, type, isSkippingLost);
    }

    /**
     * Takes only the records' values as payloads, and their keys as the messages' keys, which may have 255 bytes. Headers and timestamps
     * are dropped. A tombstone becomes an empty payload. The messages have type 0, as those of a codec that does not set one; {@link
     * #valuesOnly(int)} sets another.
     *
     * @return a source that does so; this one is unchanged
     */
    public KafkaSource valuesOnly() {
        return valuesOnly(0);
    }

    /**
     * Takes only the records' values as payloads, as {@link #valuesOnly()} does, and sets the type of the messages.
     *
     * @param messageType {@link dev.baton.Serde#type} of the codec that reads the values
     * @return a source that does so; this one is unchanged
     */
    public KafkaSource valuesOnly(int messageType) {
        return new KafkaSource(topic, group, isFromNewest, true, messageType, isSkippingLost);
    }

    /**
     * Takes only the records' values as payloads, as {@link #valuesOnly()} does, for services that read them with a codec.
     *
     * <pre>{@code
     * chain.on(transport).fromEach(KafkaSource.of(topic).values(Order.CODEC))
     * }</pre>
     *
     * @param codec codec that the records' producers used; only its type is used
     * @return a source that does so; this one is unchanged
     */
    public KafkaSource values(Serde<?> codec) {
        return valuesOnly(codec.type());
    }

    /**
     * Continues with a warning where Kafka has deleted records that were not yet read; by default the chain stops, and no {@link
     * dev.baton.RestartPolicy} opens it again.
     *
     * @return a source that does so; this one is unchanged
     */
    public KafkaSource skippingLost() {
        return new KafkaSource(topic, group, isFromNewest, isValuesOnly, type, true);
    }

    /** A source for one partition; the chain calls this. */
    @Override
    public Source get() {
        return new TopicFeed(this);
    }

    KafkaTopic topic() {
        return topic;
    }

    String groupOf(String chain, int instance) {
        return group == null ? "baton-" + chain + "-" + instance : group;
    }

    boolean isFromNewest() {
        return isFromNewest;
    }

    boolean isValuesOnly() {
        return isValuesOnly;
    }

    /** Type of the messages. */
    int type() {
        return type;
    }

    boolean isSkippingLost() {
        return isSkippingLost;
    }
}
