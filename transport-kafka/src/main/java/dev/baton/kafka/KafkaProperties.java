package dev.baton.kafka;

import dev.baton.kafka.client.ClientsVersion;
import dev.baton.kafka.client.PassedSettings;
import dev.baton.kafka.topics.Topics;
import dev.baton.spi.Guarantee;
import dev.baton.spi.options.ByteSize;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.common.config.TopicConfig;

/** The properties of the transport that belong to each measured figure. Stateless. */
final class KafkaProperties {
    private KafkaProperties() {}

    static String version() {
        return Objects.requireNonNullElse(ClientsVersion.found(), "of unknown version");
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
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put(
                "durability",
                options.get(KafkaOptions.DURABILITY).name().toLowerCase(Locale.ROOT) + ": "
                        + (replicas == 0 ? "up to 3 replicas" : replicas == 1 ? "1 replica" : replicas + " replicas")
                        + " in the brokers' page cache, written to disk as the brokers are configured");
        properties.put(
                "acknowledgement",
                "acks=" + options.get(KafkaOptions.ACKS).text() + ": "
                        + options.get(KafkaOptions.ACKS).meaning()
                        + (options.get(KafkaOptions.ACKS) == Acks.ALL ? copies(options, replicas) : "")
                        + (options.isIdempotent()
                                ? "; idempotent producer"
                                : "; no retries, one request in flight per broker")
                        + (options.get(KafkaOptions.TRANSACTIONS)
                                ? "; a flush and the position it answers in one transaction, read when committed"
                                : "")
                        + "; positions are stored every "
                        + options.get(KafkaOptions.COMMIT_INTERVAL).toMillis()
                        + " ms and at close, after a crash what was acknowledged since comes again");
        properties.put(
                "competing writers",
                "the newest writer of a topic counts: frames that another one stores behind its marker are dropped by every"
                        + " reader, and that one fails within "
                        + 2 * options.get(KafkaOptions.RIVAL_INTERVAL).toMillis() + " ms"
                        + (options.get(KafkaOptions.TRANSACTIONS) ? ", fenced" : ""));
        properties.put(
                "batching",
                "one frame per record; records share a batch of up to "
                        + ByteSize.text(options.get(KafkaOptions.BATCH_SIZE))
                        + " bytes while requests are in flight, linger "
                        + options.get(KafkaOptions.LINGER).toMillis() + " ms, compression "
                        + options.get(KafkaOptions.COMPRESSION).text());
        properties.put(
                "copies",
                "writer: 2 on the heap and 1 into the socket; broker: socket to page cache to socket; reader: 1 from "
                        + "the socket, none to the handler");
        properties.put(
                "configuration",
                "window " + options.get(KafkaOptions.WINDOW) + " frames per writer, buffer "
                        + ByteSize.text(options.get(KafkaOptions.BUFFER))
                        + " bytes per connection, fetch " + ByteSize.text(options.get(KafkaOptions.FETCH_SIZE))
                        + " bytes per topic, held up to "
                        + options.get(KafkaOptions.FETCH_WAIT).toMillis() + " ms, read-ahead "
                        + ByteSize.text(options.get(KafkaOptions.READ_AHEAD))
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
