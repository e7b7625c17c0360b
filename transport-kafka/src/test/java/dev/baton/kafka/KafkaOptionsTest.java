package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.kafka.client.ClientSettings;
import dev.baton.spi.Transport;
import dev.baton.spi.options.Durability;
import dev.baton.spi.options.OptionSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Options typed and options built mean the same, and what is not allowed is refused with what is. */
class KafkaOptionsTest {
    private static final String SERVERS = "localhost:9092";

    private final KafkaProvider provider = new KafkaProvider();

    @Test
    void timeoutBeyondMillisecondsIsRefused() {
        KafkaOptions options = KafkaOptions.at("localhost:9092");

        assertThatThrownBy(() -> options.with(KafkaOptions.TIMEOUT, Duration.ofSeconds(Long.MAX_VALUE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("timeout=", "is not allowed", "100ms to ");
    }

    @Test
    void typedDefaultsAreTheDefaults() {
        assertThat(parse(Map.of())).hasToString(KafkaOptions.at(SERVERS).toString());
        Map<String, String> all = new HashMap<>();
        for (OptionSpec spec : provider.options()) {
            if (!spec.defaultValue().isEmpty()) {
                all.put(spec.name(), spec.defaultValue());
            }
        }
        assertThat(parse(all)).hasToString(KafkaOptions.at(SERVERS).toString());
    }

    @Test
    void theDefaultsCarryAPayloadOf1024Bytes() {
        try (KafkaTransport transport = KafkaTransport.at(KafkaOptions.at(SERVERS))) {
            assertThat(transport.maxPayload()).as("longest payload by default").isGreaterThanOrEqualTo(1024);
        }
    }

    @Test
    void typedOptionsAreTheBuiltOnes() {
        KafkaOptions typed = parse(Map.of(
                "acks", "1",
                "linger", "5ms",
                "compression", "lz4",
                "window", "64",
                "fetch-wait", "20ms",
                "commit-interval", "100ms",
                "replication", "2",
                "timeout", "3s"));

        assertThat(typed)
                .hasToString(KafkaOptions.at(SERVERS)
                        .with(KafkaOptions.ACKS, Acks.LEADER)
                        .with(KafkaOptions.LINGER, Duration.ofMillis(5))
                        .with(KafkaOptions.COMPRESSION, Compression.LZ4)
                        .with(KafkaOptions.WINDOW, 64)
                        .with(KafkaOptions.FETCH_WAIT, Duration.ofMillis(20))
                        .with(KafkaOptions.COMMIT_INTERVAL, Duration.ofMillis(100))
                        .with(KafkaOptions.REPLICATION, 2)
                        .with(KafkaOptions.TIMEOUT, Duration.ofSeconds(3))
                        .toString());
        assertThat(typed.isIdempotent()).as("acks=1 cannot be idempotent").isFalse();
    }

    @Test
    void sizesAreNumbersOrHaveAUnit() {
        KafkaOptions units = parse(Map.of(
                "batch-size", "32k", "buffer", "0.25g", "max-message", "2m", "fetch-size", "1m", "read-ahead", "4M"));

        assertThat(units)
                .hasToString(parse(Map.of(
                                "batch-size", "32768",
                                "buffer", "268435456",
                                "max-message", "2097152",
                                "fetch-size", "1048576",
                                "read-ahead", "4194304"))
                        .toString());
        assertThatThrownBy(() -> open(Map.of("max-message", "65m"))).hasMessageContaining("1k to 64m bytes");
        assertThatThrownBy(() -> KafkaOptions.at(SERVERS).with(KafkaOptions.MAX_MESSAGE, 65 << 20))
                .hasMessageContaining("1k to 64m bytes");
    }

    @ParameterizedTest
    @CsvSource({
        "acks, 2",
        "acks, 0",
        "acks, none",
        "idempotence, yes",
        "linger, 2s",
        "linger, 5",
        "batch-size, 1023",
        "compression, brotli",
        "window, 0",
        "window, 65537",
        "buffer, 1",
        "max-message, 1000000000",
        "delivery-timeout, 99ms",
        "fetch-wait, 0ms",
        "fetch-size, 1",
        "read-ahead, 1",
        "commit-interval, 0s",
        "replication, 33",
        "durability, host",
        "durability, memory",
        "timeout, 1h",
        "bootstrap-servers, localhost",
        "bootstrap-servers, 'a:1, b:2'",
        "client, security.protocol=SSL",
    })
    void aValueThatIsNotAllowedIsRefusedWithItsName(String name, String value) {
        assertThatThrownBy(() -> open(Map.of(name, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name)
                .hasMessageContaining(value)
                .hasMessageContaining("not allowed");
    }

    @Test
    void theClusterHasToBeNamed() {
        assertThatThrownBy(() -> provider.open(Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bootstrap-servers");
    }

    @Test
    void replicatedDurabilityNeedsAllAcksAndTwoReplicas() {
        assertThat(parse(Map.of("durability", "replicated", "replication", "2")))
                .hasToString(KafkaOptions.at(SERVERS)
                        .with(KafkaOptions.REPLICATION, 2)
                        .with(KafkaOptions.DURABILITY, Durability.REPLICATED)
                        .toString());
        for (Map.Entry<String, String> single :
                Map.of("acks", "1", "replication", "1").entrySet()) {
            assertThatThrownBy(() -> open(Map.of("durability", "replicated", single.getKey(), single.getValue())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("durability=replicated", single.getKey() + "=" + single.getValue());
        }
    }

    @Test
    void idempotenceNeedsTheWordOfAllReplicas() {
        assertThatThrownBy(() -> open(Map.of("acks", "1", "idempotence", "true")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("acks=1");
    }

    @Test
    void bufferHasToHoldSeveralOfLargestMessages() {
        assertThatThrownBy(() -> open(Map.of("max-message", "8388608", "buffer", "16777216")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("8388608", "16777216");
    }

    @ParameterizedTest
    @ValueSource(strings = {"100ms", "60ms"})
    void deliveryHasToAllowForTheLinger(String linger) {
        assertThatThrownBy(() -> open(Map.of("linger", linger, "delivery-timeout", "100ms")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("linger=" + linger, "delivery-timeout=100ms");
    }

    @Test
    void settingsReachClientsThatTheyArePassedTo() {
        KafkaOptions options = parse(Map.of(
                "client.receive.buffer.bytes", "131072",
                "producer.send.buffer.bytes", "262144",
                "consumer.check.crcs", "false",
                "topic.retention.ms", "60000"));
        ClientSettings settings = new ClientSettings(options);

        assertThat(settings.producer("id"))
                .containsEntry(ProducerConfig.RECEIVE_BUFFER_CONFIG, "131072")
                .containsEntry(ProducerConfig.SEND_BUFFER_CONFIG, "262144")
                .doesNotContainKey(ConsumerConfig.CHECK_CRCS_CONFIG);
        assertThat(settings.consumer("id"))
                .containsEntry(ConsumerConfig.RECEIVE_BUFFER_CONFIG, "131072")
                .containsEntry(ConsumerConfig.CHECK_CRCS_CONFIG, "false")
                .doesNotContainKey(ConsumerConfig.SEND_BUFFER_CONFIG);
        assertThat(settings.topic()).containsOnly(Map.entry("retention.ms", "60000"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "producer.acks",
                "producer.transactional.id",
                "consumer.group.id",
                "client.interceptor.classes",
                "consumer.max.poll.records"
            })
    void whatTheTransportDecidesCannotBePassed(String key) {
        assertThatThrownBy(() -> open(Map.of(key, "1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(key, "the transport decides it");
    }

    @Test
    void settingThatKafkaDoesNotKnowIsRefused() {
        assertThatThrownBy(() -> open(Map.of("producer.lingr.ms", "1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("producer.lingr.ms");
    }

    @Test
    void propertiesSayHowManyCopiesStoredFrameHas() {
        assertThat(acknowledgement(Map.of())).contains("at least 2 in topics created here on a cluster of 2 brokers");
        assertThat(acknowledgement(Map.of("replication", "3"))).contains("at least 2 in topics created here;");
        assertThat(acknowledgement(Map.of("replication", "1"))).contains("of which there is one");
        assertThat(acknowledgement(Map.of("topic.min.insync.replicas", "1"))).contains("at least 1 in topics");
        assertThat(acknowledgement(Map.of("acks", "1"))).doesNotContain("at least");
    }

    @Test
    void replicasAreAsManyAsCountedBrokers() {
        assertThat(KafkaProperties.of(parse(Map.of()), 1).get("durability")).startsWith("process: 1 replica in ");
        assertThat(KafkaProperties.of(parse(Map.of()), 1).get("acknowledgement"))
                .contains("of which there is one")
                .doesNotContain("at least 2");
        assertThat(KafkaProperties.of(parse(Map.of()), 3).get("durability")).startsWith("process: 3 replicas in ");
        assertThat(KafkaProperties.of(parse(Map.of()), 3).get("acknowledgement"))
                .contains("at least 2 in topics created here;");
    }

    @ParameterizedTest
    @CsvSource({
        "client.security.protocol, FOO, SASL_SSL",
        "producer.partitioner.availability.timeout.ms, soon, soon",
        "consumer.check.crcs, maybe, maybe",
        "admin.connections.max.idle.ms, 1.5, 1.5"
    })
    void valueThatKafkaRefusesIsRefusedAtOnce(String key, String value, String text) {
        assertThatThrownBy(() -> open(Map.of(key, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + key + "' is refused by Kafka")
                .hasMessageContaining(text);
    }

    private String acknowledgement(Map<String, String> typed) {
        KafkaOptions options = parse(typed);
        return KafkaProperties.of(options, options.get(KafkaOptions.REPLICATION))
                .get("acknowledgement");
    }

    @Test
    void theLongestPayloadFollowsTheLargestMessage() {
        try (Transport transport = provider.open(Map.of("bootstrap-servers", SERVERS, "max-message", "65536"))) {
            assertThat(transport.maxPayload()).isBetween(65_000, 65_536);
        }
    }

    private KafkaOptions parse(Map<String, String> typed) {
        Map<String, String> all = new HashMap<>(typed);
        all.putIfAbsent("bootstrap-servers", SERVERS);
        return KafkaOptions.parse(all);
    }

    private void open(Map<String, String> typed) {
        Map<String, String> all = new HashMap<>(typed);
        all.putIfAbsent("bootstrap-servers", SERVERS);
        provider.open(all).close();
    }
}
