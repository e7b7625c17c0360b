package dev.baton.partitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.PartitionTopic;
import java.nio.charset.StandardCharsets;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where keys belong: settled for ever, so these values must not change. They were computed by another program. */
class PartitionsTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 0",
        "1, 5, 6, 789",
        "42, 2, 3, 962",
        "-1, 3, 0, 67",
        "9223372036854775807, 5, 3, 533",
        "-9223372036854775808, 2, 0, 50"
    })
    void numberBelongsToSamePartitionForEver(long key, int ofEight, int ofSeven, int ofThousand) {
        assertThat(Partitions.of(8).partitionOf(key)).isEqualTo(ofEight);
        assertThat(Partitions.of(7).partitionOf(key)).isEqualTo(ofSeven);
        assertThat(Partitions.of(1000).partitionOf(key)).isEqualTo(ofThousand);
    }

    @ParameterizedTest
    @CsvSource({"'', 3, 5, 203", "BTN, 0, 6, 424", "Zürich, 5, 4, 485", "€, 6, 0, 342"})
    void textBelongsToSamePartitionForEver(String key, int ofEight, int ofSeven, int ofThousand) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        assertThat(Partitions.of(8).partitionOf(key)).isEqualTo(ofEight);
        assertThat(Partitions.of(7).partitionOf(bytes)).isEqualTo(ofSeven);
        assertThat(Partitions.of(1000).partitionOf(("?" + key + "?").getBytes(StandardCharsets.UTF_8), 1, bytes.length))
                .isEqualTo(ofThousand);
    }

    @Test
    void keysInARowAreSpreadEvenly() {
        long[] counts = new long[8];
        LongStream.range(0, 80_000).forEach(key -> counts[Partitions.of(8).partitionOf(key)]++);
        assertThat(LongStream.of(counts)).allMatch(count -> count > 9_600 && count < 10_400);
    }

    @Test
    void thereAreOneToAThousandOrSo() {
        assertThatThrownBy(() -> Partitions.of(0)).hasMessage("0 partitions; 1 to 1024 are allowed");
        assertThatThrownBy(() -> Partitions.of(1025)).hasMessage("1025 partitions; 1 to 1024 are allowed");
        assertThat(Partitions.of(1).partitionOf(17)).isZero();
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
    void aPartitionsNameIsTakenApart(String name, String base, int partition) {
        assertThat(PartitionTopic.base(name)).isEqualTo(base);
        assertThat(PartitionTopic.partition(name)).isEqualTo(partition);
    }

    @Test
    void topicOfOnlyPartitionIsPlainOne() {
        assertThat(Partitions.of(1).topic("orders-1", 0)).isEqualTo("orders-1");
        assertThat(Partitions.of(2).topic("orders-1", 1)).isEqualTo("orders-1@1");
        assertThatThrownBy(() -> Partitions.of(2).topic("orders-1", 2)).hasMessageContaining("partition 2 of 2");
    }
}
