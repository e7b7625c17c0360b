package dev.baton.kafka.client;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** Settings handed on to Kafka under a prefix, less those that the transport depends on. Thread-safe. */
public final class PassedSettings {
    static final String CLIENT = "client.";
    static final String PRODUCER = "producer.";
    static final String CONSUMER = "consumer.";
    static final String ADMIN = "admin.";
    public static final String TOPIC = "topic.";

    /** Every prefix, for error texts and for the provider. */
    static final Set<String> PREFIXES = Set.of(CLIENT, PRODUCER, CONSUMER, ADMIN, TOPIC);

    /**
     * The settings that the transport's correctness depends on, or that an option of its own decides. Interceptors are
     * among them because records are used again after send.
     */
    private static final Set<String> OWN = Set.of(
            "bootstrap.servers",
            "client.id",
            "key.serializer",
            "value.serializer",
            "key.deserializer",
            "value.deserializer",
            "acks",
            "enable.idempotence",
            "max.in.flight.requests.per.connection",
            "retries",
            "linger.ms",
            "batch.size",
            "compression.type",
            "buffer.memory",
            "max.request.size",
            "max.block.ms",
            "delivery.timeout.ms",
            "request.timeout.ms",
            "default.api.timeout.ms",
            "transactional.id",
            "transaction.timeout.ms",
            "isolation.level",
            "interceptor.classes",
            "metadata.max.idle.ms",
            "metadata.recovery.strategy",
            "group.id",
            "group.instance.id",
            "group.protocol",
            "enable.auto.commit",
            "auto.offset.reset",
            "max.poll.records",
            "fetch.min.bytes",
            "fetch.max.wait.ms",
            "max.partition.fetch.bytes",
            "allow.auto.create.topics");

    /** Settings of the clients that a prefix reaches; a topic's settings are up to the brokers. */
    private static final Map<String, List<ConfigDef>> DEFINITIONS = Map.of(
            CLIENT, List.of(AdminClientConfig.configDef(), ProducerConfig.configDef(), ConsumerConfig.configDef()),
            PRODUCER, List.of(ProducerConfig.configDef()),
            CONSUMER, List.of(ConsumerConfig.configDef()),
            ADMIN, List.of(AdminClientConfig.configDef()));

    private PassedSettings() {}

    public static boolean isPassed(String key) {
        return PREFIXES.stream().anyMatch(key::startsWith);
    }

    /**
     * Throws unless all settings may be passed and have valid values.
     *
     * @throws IllegalArgumentException for a key that cannot be passed, and a value that Kafka's clients refuse
     */
    public static void check(Map<String, String> passed) {
        passed.forEach((key, value) -> {
            int dot = key.indexOf('.');
            String prefix = key.substring(0, dot + 1);
            String setting = key.substring(dot + 1);
            if (!PREFIXES.contains(prefix)) {
                throw new IllegalArgumentException("'" + key + "' cannot be passed to Kafka; begin with one of "
                        + PREFIXES.stream().sorted().toList());
            }
            if (OWN.contains(setting) && !prefix.equals(TOPIC)) {
                throw new IllegalArgumentException("'" + key + "' cannot be passed to Kafka: the transport decides it");
            }
            if (!isKnown(prefix, setting)) {
                throw new IllegalArgumentException("'" + key + "' is not a setting of Kafka's clients");
            }
            checkValue(key, prefix, setting, value);
        });
    }

    /** Checks a value early; clients would refuse it as well, when they are created. */
    private static void checkValue(String key, String prefix, String setting, String value) {
        for (ConfigDef known : DEFINITIONS.getOrDefault(prefix, List.of())) {
            ConfigDef.ConfigKey definition = known.configKeys().get(setting);
            if (definition == null) {
                continue;
            }
            try {
                Object parsed = ConfigDef.parseType(setting, value, definition.type);
                if (definition.validator != null) {
                    definition.validator.ensureValid(setting, parsed);
                }
            } catch (ConfigException refused) {
                throw new IllegalArgumentException(
                        "'" + key + "' is refused by Kafka: " + refused.getMessage(), refused);
            }
        }
    }

    /**
     * Returns the settings that are passed under a prefix, without it, and those under {@link #CLIENT} that {@code
     * known} contains.
     */
    static Map<String, String> of(Map<String, String> passed, String prefix, Set<String> known) {
        Map<String, String> chosen = new HashMap<>();
        passed.forEach((key, value) -> {
            if (key.startsWith(CLIENT) && known.contains(key.substring(CLIENT.length()))) {
                chosen.putIfAbsent(key.substring(CLIENT.length()), value);
            } else if (key.startsWith(prefix)) {
                chosen.put(key.substring(prefix.length()), value);
            }
        });
        return chosen;
    }

    private static boolean isKnown(String prefix, String setting) {
        List<ConfigDef> definitions = DEFINITIONS.get(prefix);
        return definitions == null
                || definitions.stream().anyMatch(each -> each.names().contains(setting));
    }
}
