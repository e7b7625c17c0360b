package dev.baton.lab.engines;

import dev.baton.spi.options.Options;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.GroupProtocol;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * The configurations of Kafka's clients: the typed options, {@code linger.ms=0} unless typed otherwise, and the library's defaults.
 * Immutable, thread-safe.
 */
public final class ClientConfigs {
    private final Map<String, Object> producer = new HashMap<>();
    private final Map<String, Object> consumer = new HashMap<>();
    public final String acknowledgement;
    public final String batching;

    /** Names the typed options that nobody has asked for. */
    public final String unused;

    /** With the acknowledgements that Baton's transport takes: those typed, or its default. */
    public ClientConfigs(PassedOptions settings) {
        this(settings, settings.text("acks"));
    }

    private ClientConfigs(PassedOptions settings, String acks) {
        String servers = settings.text("bootstrap-servers");
        boolean isIdempotent = settings.isGiven("idempotence")
                ? Boolean.parseBoolean(settings.text("idempotence"))
                : acks.equals("all");
        long lingerMillis = Options.parseDuration(settings.text("linger")).toMillis();
        producer.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, servers);
        producer.put(ProducerConfig.ACKS_CONFIG, acks);
        producer.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, isIdempotent);
        producer.put(ProducerConfig.LINGER_MS_CONFIG, lingerMillis);
        producer.put(ProducerConfig.BATCH_SIZE_CONFIG, settings.bytes("batch-size"));
        producer.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, settings.text("compression"));
        producer.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, settings.bytes("max-message"));
        producer.put("enable.metrics.push", false);
        consumer.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, servers);
        consumer.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, GroupProtocol.CLASSIC.name());
        consumer.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        consumer.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        consumer.put("enable.metrics.push", false);
        settings.text("timeout"); // these go to those who make the topics
        settings.text("replication");
        pass(settings.passed("client."), ProducerConfig.configNames(), producer);
        pass(settings.passed("client."), ConsumerConfig.configNames(), consumer);
        producer.putAll(settings.passed("producer."));
        consumer.putAll(settings.passed("consumer."));
        acknowledgement =
                "acks=" + acks + (isIdempotent ? "; idempotent producer" : "; up to five requests in flight, retried");
        batching = "records share a batch while requests are in flight, linger " + lingerMillis + " ms";
        unused = settings.unused();
    }

    /** {@return the configurations of the article's loops: {@code acks=1} unless typed otherwise} */
    public static ClientConfigs ofTheArticle(PassedOptions settings) {
        return new ClientConfigs(settings, settings.isGiven("acks") ? settings.text("acks") : "1");
    }

    private static void pass(Map<String, String> settings, Set<String> known, Map<String, Object> to) {
        settings.forEach((key, value) -> {
            if (known.contains(key)) {
                to.put(key, value);
            }
        });
    }

    /** {@return the configuration of a producer for one topic} */
    public Map<String, Object> producer(String topic) {
        Map<String, Object> all = new HashMap<>(producer);
        all.put(CommonClientConfigs.CLIENT_ID_CONFIG, topic + "-producer");
        return all;
    }

    /** {@return the configuration of a consumer for one topic, with its own group} */
    public Map<String, Object> consumer(String topic) {
        Map<String, Object> all = new HashMap<>(consumer);
        all.put(CommonClientConfigs.CLIENT_ID_CONFIG, topic + "-consumer");
        all.put(ConsumerConfig.GROUP_ID_CONFIG, topic);
        return all;
    }
}
