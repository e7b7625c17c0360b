package dev.baton.kafka;

import dev.baton.kafka.client.PassedSettings;
import dev.baton.kafka.topics.Topics;
import dev.baton.spi.Guarantee;
import dev.baton.spi.options.ByteSize;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.utils.AppInfoParser;

/** The properties of the transport that belong to each measured figure. Stateless. */
final class KafkaProperties {
    private KafkaProperties() {}

    static String version() {
        return AppInfoParser.getVersion();
    }

    static Set<Guarantee> guarantees() {
        return Collections.unmodifiableSet(
                EnumSet.of(Guarantee.CROSS_PROCESS, Guarantee.CROSS_HOST, Guarantee.DURABLE));
    }

    /**
     * Returns the properties by their names.
     *
     * @param replicas of the topics created here; 0: not known yet
     */
    static Map<String, String> of(KafkaOptions options, int replicas) {
        WriteOptions write = options.write();
        ReadOptions read = options.read();
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put(
                "durability",
                options.durability().name().toLowerCase(Locale.ROOT) + ": "
                        + (replicas == 0 ? "up to 3 replicas" : replicas == 1 ? "1 replica" : replicas + " replicas")
                        + " in the brokers' page cache, written to disk as the brokers are configured");
        properties.put(
                "acknowledgement",
                "acks=" + write.acks().text() + ": " + write.acks().meaning()
                        + (write.acks() == Acks.ALL ? copies(options, replicas) : "")
                        + (write.idempotence()
                                ? "; idempotent producer"
                                : "; no retries, one request in flight per broker")
                        + (write.transactions()
                                ? "; a flush and the position it answers in one transaction, read when committed"
                                : "")
                        + "; positions are stored every "
                        + read.commitInterval().toMillis()
                        + " ms and at close, after a crash what was acknowledged since comes again");
        properties.put(
                "rivals",
                "the newest writer of a topic counts: frames that another one stores behind its marker are dropped by every"
                        + " reader, and that one fails within "
                        + 2 * write.rivalInterval().toMillis() + " ms"
                        + (write.transactions() ? ", fenced" : ""));
        properties.put(
                "batching",
                "one frame per record; records share a batch of up to " + ByteSize.text(write.batchSize())
                        + " bytes while requests are in flight, linger "
                        + write.linger().toMillis() + " ms, compression "
                        + write.compression().text());
        properties.put(
                "copies",
                "writer: 2 on the heap and 1 into the socket; broker: socket to page cache to socket; reader: 1 from "
                        + "the socket, none to the handler");
        properties.put(
                "configuration",
                "window " + write.window() + " frames per writer, buffer " + ByteSize.text(write.buffer())
                        + " bytes per connection, fetch " + ByteSize.text(read.fetchSize())
                        + " bytes per topic, held up to "
                        + read.fetchWait().toMillis() + " ms, read-ahead " + ByteSize.text(read.readAhead())
                        + " bytes per reader, one producer and one consumer per connection"
                        + (options.passed().isEmpty()
                                ? ""
                                : ", passed to Kafka: " + options.passed().keySet()));
        properties.put("version", "kafka-clients " + version());
        return Collections.unmodifiableMap(properties);
    }

    /** Returns the least number of copies of a stored frame, as text. */
    private static String copies(KafkaOptions options, int replicas) {
        String asked = options.passed().get(PassedSettings.TOPIC + TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG);
        if (asked == null && replicas == 1) {
            return ", of which there is one";
        }
        String least = asked == null ? Integer.toString(Topics.LEAST_COPIES) : asked;
        return ", which are at least " + least + " in topics created here"
                + (asked == null && replicas == 0 ? " on a cluster of 2 brokers or more" : "");
    }
}
