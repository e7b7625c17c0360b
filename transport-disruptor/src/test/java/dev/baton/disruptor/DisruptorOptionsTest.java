package dev.baton.disruptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Transport;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DisruptorOptionsTest {
    private final DisruptorProvider provider = new DisruptorProvider();

    @Test
    void missingOptionsHaveDefaults() {
        assertThat(DisruptorOptions.defaults()).hasToString("slots=1024 max-payload=1k");
        assertThat(DisruptorOptions.parse(Map.of("slots", "64"))).hasToString("slots=64 max-payload=1k");
        assertThat(DisruptorOptions.defaults().with(DisruptorOptions.SLOTS, 64)).hasToString("slots=64 max-payload=1k");
    }

    @Test
    void theDefaultsCarryAPayloadOf1024Bytes() {
        try (Transport transport = DisruptorTransport.create()) {
            assertThat(transport.maxPayload()).as("longest payload by default").isGreaterThanOrEqualTo(1024);
        }
    }

    @Test
    void optionsReachTheTransport() {
        try (Transport transport = provider.open(Map.of("slots", "8", "max-payload", "17"))) {
            assertThat(transport.maxPayload()).isEqualTo(17);
            assertThat(transport.properties().get("configuration")).contains("slots=8", "max-payload=17");
        }
    }

    @Test
    void payloadSizesMayHaveAUnit() {
        try (Transport transport = provider.open(Map.of("slots", "8", "max-payload", "64k"))) {
            assertThat(transport.maxPayload()).isEqualTo(65536);
        }
        assertThat(provider.topicFootprint(Map.of("max-payload", "64k")))
                .isEqualTo(provider.topicFootprint(Map.of("max-payload", "65536")));
    }

    @Test
    void unknownOptionsAreRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> provider.open(Map.of("slot", "8")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'slot'", "slots", "max-payload");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "-64", "100", "2097152", "many"})
    void slotsAreAPowerOfTwoInRange(String slots) {
        assertThatThrownBy(() -> provider.open(Map.of("slots", slots)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("slots", slots, "2 to 1048576, a power of two");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1048577", "1.1m", "1kb"})
    void aPayloadOutOfRangeIsRefused(String bytes) {
        assertThatThrownBy(() -> provider.open(Map.of("max-payload", bytes)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("max-payload", bytes, "0 to 1m bytes");
    }

    @Test
    void ringsWithTooMuchMemoryAreRefused() {
        assertThatThrownBy(() -> provider.open(Map.of("slots", "1048576", "max-payload", "1m")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("slots=1048576", "max-payload=1m", "1g");
    }

    @ParameterizedTest
    @CsvSource({"0, 48", "1, 56", "8, 56", "9, 64", "64, 112", "256, 304"})
    void slotsAreRoundedUpToEightBytes(int maxPayload, int stride) {
        assertThat(DisruptorOptions.defaults()
                        .with(DisruptorOptions.SLOTS, 2)
                        .with(DisruptorOptions.MAX_PAYLOAD, maxPayload)
                        .ringBytes())
                .isEqualTo(2 * stride);
    }

    @Test
    void theVersionToldIsTheLibrarys() throws Exception {
        String jar = com.lmax.disruptor.Sequence.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();

        assertThat(jar).endsWith("disruptor-" + DisruptorProvider.LIBRARY_VERSION + ".jar");
    }
}
