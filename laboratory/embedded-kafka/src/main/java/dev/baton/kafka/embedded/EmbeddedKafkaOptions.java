package dev.baton.kafka.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The options of an embedded Kafka. Immutable, thread-safe.
 *
 * @param nodes brokers that are controllers, too: 1 or 3
 * @param properties server properties that override this module's own, such as {@code log.flush.interval.messages=1}
 * @param directory of the logs, kept at close; empty: a temporary directory, removed at close
 * @param startTimeout limit of a start, 1 s to 10 min; 60 s by default
 * @param security access control; empty: every client that reaches it may do everything, unencrypted
 */
public record EmbeddedKafkaOptions(
        int nodes,
        Map<String, String> properties,
        Optional<Path> directory,
        Duration startTimeout,
        Optional<BrokerSecurity> security) {
    private static final Duration LEAST_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration MOST_TIMEOUT = Duration.ofMinutes(10);

    public EmbeddedKafkaOptions {
        if (nodes != 1 && nodes != 3) {
            throw new IllegalArgumentException(nodes + " nodes; 1 or 3 are allowed");
        }
        if (startTimeout.compareTo(LEAST_TIMEOUT) < 0 || startTimeout.compareTo(MOST_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "a start timeout of " + startTimeout + "; 1 second to 10 minutes are allowed");
        }
        properties = Map.copyOf(properties);
    }

    /** One node, a temporary directory. */
    public static EmbeddedKafkaOptions defaults() {
        return new EmbeddedKafkaOptions(1, Map.of(), Optional.empty(), Duration.ofSeconds(60), Optional.empty());
    }

    public EmbeddedKafkaOptions withNodes(int count) {
        return new EmbeddedKafkaOptions(count, properties, directory, startTimeout, security);
    }

    public EmbeddedKafkaOptions withProperty(String key, String value) {
        Map<String, String> more = new HashMap<>(properties);
        more.put(key, value);
        return new EmbeddedKafkaOptions(nodes, more, directory, startTimeout, security);
    }

    public EmbeddedKafkaOptions withDirectory(Path place) {
        return new EmbeddedKafkaOptions(nodes, properties, Optional.of(place), startTimeout, security);
    }

    public EmbeddedKafkaOptions withStartTimeout(Duration timeout) {
        return new EmbeddedKafkaOptions(nodes, properties, directory, timeout, security);
    }

    public EmbeddedKafkaOptions withSecurity(BrokerSecurity wanted) {
        return new EmbeddedKafkaOptions(nodes, properties, directory, startTimeout, Optional.of(wanted));
    }

    /** {@return a text without the values of properties, which may be secret} */
    @Override
    public String toString() {
        return "EmbeddedKafkaOptions[nodes=" + nodes + ", properties=" + properties.keySet() + ", directory="
                + directory + ", startTimeout=" + startTimeout + ", security=" + security + "]";
    }
}
