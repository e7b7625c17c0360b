package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider.TopicFootprint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AeronOptionsTest {
    private final AeronProvider provider = new AeronProvider();

    @Test
    void missingOptionsHaveDefaults() {
        assertThat(AeronOptions.defaults()).hasToString("term-length=1m max-payload=1k");
        assertThat(AeronOptions.parse(Map.of("term-length", "64k"))).hasToString("term-length=64k max-payload=1k");
        assertThat(AeronOptions.defaults().with(AeronOptions.TERM_LENGTH, 65536))
                .hasToString("term-length=64k max-payload=1k");
    }

    @Test
    void optionsReachTheTransport() {
        try (Transport transport = provider.open(Map.of("term-length", "128k", "max-payload", "17"))) {
            assertThat(transport.maxPayload()).isEqualTo(17);
            assertThat(transport.properties().get("configuration")).contains("term-length=128k", "max-payload=17");
        }
    }

    @Test
    void theLongestPayloadFitsIntoTheDefaultTerm() {
        assertThat(AeronOptions.parse(Map.of("max-payload", "65000"))).hasToString("term-length=1m max-payload=65000");
    }

    @Test
    void payloadsLongerThanEighthOfTermAreRefused() {
        assertThatThrownBy(() -> provider.open(Map.of("term-length", "64k", "max-payload", "9000")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("max-payload=9000", "term-length=65536", "raise term-length");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "-64", "65537", "32k", "512m", "many"})
    void termIsPowerOfTwoInRange(String term) {
        assertThatThrownBy(() -> provider.open(Map.of("term-length", term)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("term-length", term);
    }

    @Test
    void theDriverIsEmbeddedByDefault() {
        assertThat(AeronOptions.defaults().get(AeronOptions.DRIVER)).isNull();
        assertThat(AeronOptions.parse(Map.of("driver", "embedded")).get(AeronOptions.DRIVER))
                .isNull();
        AeronOptions shared = AeronOptions.parse(Map.of("driver", "/dev/shm/aeron-orders", "timeout", "2s"));
        assertThat(shared.get(AeronOptions.DRIVER)).isEqualTo(Path.of("/dev/shm/aeron-orders"));
        assertThat(shared.get(AeronOptions.TIMEOUT)).isEqualTo(Duration.ofSeconds(2));
        assertThat(shared.with(AeronOptions.DRIVER, null).get(AeronOptions.DRIVER))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "driver=/dev/shm/aeron-orders driver-dir=/dev/shm, driver-dir is for an embedded media driver",
        "timeout=2s, timeout is for a running media driver",
        "timeout=2s driver=embedded, timeout is for a running media driver",
        "timeout=1ms driver=/dev/shm/aeron-orders, 500ms to 1h",
        "timeout=2h driver=/dev/shm/aeron-orders, 500ms to 1h",
    })
    void foreignAndOutOfRangeOptionsAreRefused(String typed, String refusal) {
        Map<String, String> options = Stream.of(typed.split(" "))
                .map(option -> option.split("="))
                .collect(Collectors.toMap(option -> option[0], option -> option[1]));
        assertThatThrownBy(() -> provider.open(options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(refusal);
    }

    @Test
    void driverUsesTemporaryFilesWithoutSharedMemory(@TempDir Path directory) {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        assertThat(AeronOptions.memory(directory, 0)).isEqualTo(directory);
        assertThat(AeronOptions.memory(directory, Long.MAX_VALUE)).isEqualTo(temporary);
        assertThat(AeronOptions.memory(directory.resolve("absent"), 0)).isEqualTo(temporary);
    }

    @Test
    void sixThousandTopicsFitIntoEightGibibytes() {
        Map<String, String> options = provider.manyTopicsOptions(20, 1_000);
        assertThat(AeronOptions.parse(options).get(AeronOptions.TERM_LENGTH)).isEqualTo(AeronOptions.LEAST_TERM);
        TopicFootprint topic = provider.topicFootprint(options);
        assertThat(6_000 * (topic.directBytes() + topic.heapBytes())).isLessThan(8L << 30);
    }

    @Test
    void whatSuitsManyTopicsCanBeOpened() {
        for (int payload : new int[] {0, 16, 300, 8000, 65_000}) {
            Map<String, String> options = provider.manyTopicsOptions(payload, 1000);
            assertThat(AeronOptions.parse(options).get(AeronOptions.MAX_PAYLOAD))
                    .isGreaterThanOrEqualTo(payload);
        }
    }
}
