package dev.baton.kafka.client;

import dev.baton.kafka.KafkaOptions;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.GroupProtocol;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;

/** Translates the options into the settings of Kafka's clients. Immutable, thread-safe. */
public final class ClientSettings {
    /**
     * The limit for which a send may block the loop, which it does only when a topic has vanished from the metadata.
     * Every other cause is ruled out by the producer's accounting and by metadata fetched at open.
     */
    static final int SEND_BLOCK_MILLIS = 200;

    private static final int RETRY_BACKOFF_MILLIS = 10;
    private static final int RETRY_BACKOFF_MOST_MILLIS = 500;
    private static final int RECONNECT_BACKOFF_MILLIS = 100;
    private static final int RECONNECT_BACKOFF_MOST_MILLIS = 2_000;
    private static final long TEN_YEARS_MILLIS = 315_360_000_000L; // Long.MAX_VALUE would overflow in the client
    private static final long LEAST_TRANSACTION_MILLIS = 10_000;
    private static final long MOST_TRANSACTION_MILLIS = 900_000; // brokers allow no more by default
    private static final int FETCH_MOST_BYTES = 16 << 20;

    private final KafkaOptions options;

    public ClientSettings(KafkaOptions options) {
        this.options = options;
    }

    public Map<String, Object> producer(String clientId) {
        Map<String, Object> all = common(clientId);
        all.put(ProducerConfig.ACKS_CONFIG, options.get(KafkaOptions.ACKS).text());
        all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, options.isIdempotent());
        if (!options.isIdempotent()) {
            // Nothing else keeps frames single and in order when a request fails.
            all.put(ProducerConfig.RETRIES_CONFIG, 0);
            all.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        }
        int deliveryMillis =
                Math.toIntExact(options.get(KafkaOptions.DELIVERY_TIMEOUT).toMillis());
        int lingerMillis = Math.toIntExact(options.get(KafkaOptions.LINGER).toMillis());
        int requestMillis = Math.max(1, Math.min(timeoutMillis(), deliveryMillis - lingerMillis));
        all.put(ProducerConfig.LINGER_MS_CONFIG, lingerMillis);
        all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Math.max(deliveryMillis, requestMillis + lingerMillis));
        all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, requestMillis);
        all.put(ProducerConfig.BATCH_SIZE_CONFIG, options.get(KafkaOptions.BATCH_SIZE));
        all.put(
                ProducerConfig.COMPRESSION_TYPE_CONFIG,
                options.get(KafkaOptions.COMPRESSION).text());
        all.put(ProducerConfig.BUFFER_MEMORY_CONFIG, (long) options.get(KafkaOptions.BUFFER));
        all.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, options.get(KafkaOptions.MAX_MESSAGE));
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, SEND_BLOCK_MILLIS);
        // Topics must not fall out of the metadata by idling: the next send would block for them.
        all.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, TEN_YEARS_MILLIS);
        all.putAll(PassedSettings.of(options.passed(), PassedSettings.PRODUCER, ProducerConfig.configNames()));
        return all;
    }

    /** Returns the settings of a producer that stores in transactions. */
    public Map<String, Object> transactional(String clientId, String transactionalId) {
        Map<String, Object> all = producer(clientId);
        long millis = options.get(KafkaOptions.DELIVERY_TIMEOUT).toMillis();
        all.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        all.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, (int)
                Math.max(LEAST_TRANSACTION_MILLIS, Math.min(millis, MOST_TRANSACTION_MILLIS)));
        return all;
    }

    public Map<String, Object> consumer(String clientId) {
        Map<String, Object> all = tailConsumer(clientId);
        all.put(
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                Math.toIntExact(options.get(KafkaOptions.FETCH_WAIT).toMillis()));
        all.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, options.get(KafkaOptions.FETCH_SIZE));
        all.put(
                ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
                Math.max(FETCH_MOST_BYTES, options.get(KafkaOptions.FETCH_SIZE)));
        // One poll hands over all that has arrived: what it left would keep its topic out of the next fetch, and the
        // topic would wait for that fetch to end.
        all.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, Integer.MAX_VALUE);
        all.putAll(PassedSettings.of(options.passed(), PassedSettings.CONSUMER, ConsumerConfig.configNames()));
        return all;
    }

    /** Returns the settings of a consumer that reads single records and waits for none. */
    public Map<String, Object> tailConsumer(String clientId) {
        Map<String, Object> all = common(clientId);
        all.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, GroupProtocol.CLASSIC.name());
        all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed"); // no difference without transactions
        all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        all.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1);
        all.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 0);
        all.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, timeoutMillis());
        all.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, timeoutMillis());
        all.putAll(PassedSettings.of(options.passed(), PassedSettings.CONSUMER, ConsumerConfig.configNames()));
        return all;
    }

    /** Returns the settings of a consumer that finds the ends of transactions. */
    public Map<String, Object> uncommittedConsumer(String clientId) {
        Map<String, Object> all = tailConsumer(clientId);
        all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
        return all;
    }

    /**
     * Creates a consumer with settings of this class.
     *
     * @throws dev.baton.spi.errors.TransportException when Kafka refuses one of them
     */
    public KafkaConsumer<byte[], ByteBuffer> newConsumer(Map<String, Object> settings) {
        try {
            return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteBufferDeserializer());
        } catch (KafkaException failure) {
            throw KafkaFailures.client(failure, options);
        }
    }

    Map<String, Object> admin(String clientId) {
        Map<String, Object> all = common(clientId);
        all.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, timeoutMillis());
        all.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, timeoutMillis());
        all.putAll(PassedSettings.of(options.passed(), PassedSettings.ADMIN, AdminClientConfig.configNames()));
        return all;
    }

    public Map<String, String> topic() {
        return PassedSettings.of(options.passed(), PassedSettings.TOPIC, Set.of());
    }

    private Map<String, Object> common(String clientId) {
        Map<String, Object> all = new HashMap<>();
        all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, options.get(KafkaOptions.BOOTSTRAP_SERVERS));
        all.put(CommonClientConfigs.CLIENT_ID_CONFIG, clientId);
        all.put("enable.metrics.push", false);
        // A topic just created is not led at once: the first question about it would cost the default of 100 ms.
        all.put(CommonClientConfigs.RETRY_BACKOFF_MS_CONFIG, RETRY_BACKOFF_MILLIS);
        all.put(CommonClientConfigs.RETRY_BACKOFF_MAX_MS_CONFIG, RETRY_BACKOFF_MOST_MILLIS);
        // When all brokers are away, clients keep to those that they knew, by their names. Otherwise they would forget
        // the
        // metadata, for which the next send would block, and log so at each poll: 15,000 lines a second of a loop that
        // spins. Brokers that come back under other names than any before are found by a new transport only.
        all.put(CommonClientConfigs.METADATA_RECOVERY_STRATEGY_CONFIG, "none");
        // A broker that is away costs a few attempts and log lines, not a storm of them: each client knocks after 100
        // ms,
        // 200 ms, 400 ms and so on up to every 2 s.
        all.put(CommonClientConfigs.RECONNECT_BACKOFF_MS_CONFIG, RECONNECT_BACKOFF_MILLIS);
        all.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_BACKOFF_MOST_MILLIS);
        all.put(CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, (long) timeoutMillis());
        all.put(CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG, (long) timeoutMillis());
        return all;
    }

    private int timeoutMillis() {
        return Math.toIntExact(options.get(KafkaOptions.TIMEOUT).toMillis());
    }
}
