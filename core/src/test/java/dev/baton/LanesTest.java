package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.LaneTopic;
import java.nio.charset.StandardCharsets;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where keys belong: settled for ever, so these values must not change. They were computed by another program. */
class LanesTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 0",
        "1, 5, 6, 789",
        "42, 2, 3, 962",
        "-1, 3, 0, 67",
        "9223372036854775807, 5, 3, 533",
        "-9223372036854775808, 2, 0, 50"
    })
    void aNumberBelongsToTheSameLaneForEver(long key, int ofEight, int ofSeven, int ofThousand) {
        assertThat(Lanes.of(8).laneOf(key)).isEqualTo(ofEight);
        assertThat(Lanes.of(7).laneOf(key)).isEqualTo(ofSeven);
        assertThat(Lanes.of(1000).laneOf(key)).isEqualTo(ofThousand);
    }

    @ParameterizedTest
    @CsvSource({"'', 3, 5, 203", "BTN, 0, 6, 424", "Zürich, 5, 4, 485", "€, 6, 0, 342"})
    void aTextBelongsToTheSameLaneForEver(String key, int ofEight, int ofSeven, int ofThousand) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        assertThat(Lanes.of(8).laneOf(key)).isEqualTo(ofEight);
        assertThat(Lanes.of(7).laneOf(bytes)).isEqualTo(ofSeven);
        assertThat(Lanes.of(1000).laneOf(("?" + key + "?").getBytes(StandardCharsets.UTF_8), 1, bytes.length))
                .isEqualTo(ofThousand);
    }

    @Test
    void keysInARowAreSpreadEvenly() {
        long[] counts = new long[8];
        LongStream.range(0, 80_000).forEach(key -> counts[Lanes.of(8).laneOf(key)]++);
        assertThat(LongStream.of(counts)).allMatch(count -> count > 9_600 && count < 10_400);
    }

    @Test
    void thereAreOneToAThousandOrSo() {
        assertThatThrownBy(() -> Lanes.of(0)).hasMessage("0 lanes; 1 to 1024 are allowed");
        assertThatThrownBy(() -> Lanes.of(1025)).hasMessage("1025 lanes; 1 to 1024 are allowed");
        assertThat(Lanes.of(1).laneOf(17)).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "orders-1, orders-1, -1",
        "orders-1@0, orders-1, 0",
        "orders-1@1023, orders-1, 1023",
        "orders-1@1024, orders-1@1024, -1",
        "orders-1@01, orders-1@01, -1",
        "orders-1@, orders-1@, -1",
        "@1, @1, -1",
        "a@1@2, a@1, 2",
        "a@-1, a@-1, -1",
        "a@1x, a@1x, -1"
    })
    void aLanesNameIsTakenApart(String name, String base, int lane) {
        assertThat(LaneTopic.base(name)).isEqualTo(base);
        assertThat(LaneTopic.lane(name)).isEqualTo(lane);
    }

    @Test
    void theTopicOfTheOnlyLaneIsThePlainOne() {
        assertThat(Lanes.of(1).topic("orders-1", 0)).isEqualTo("orders-1");
        assertThat(Lanes.of(2).topic("orders-1", 1)).isEqualTo("orders-1@1");
        assertThatThrownBy(() -> Lanes.of(2).topic("orders-1", 2)).hasMessageContaining("lane 2 of 2");
    }
}
