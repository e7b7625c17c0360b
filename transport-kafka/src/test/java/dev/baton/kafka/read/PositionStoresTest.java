package dev.baton.kafka.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PositionStoresTest {
    private final PositionStores stores = new PositionStores();

    @Test
    void timeOfFailuresRunsFromFirstInRow() {
        assertThat(stores.failedForNanos(100)).isZero();
        assertThat(stores.failedForNanos(350)).isEqualTo(250);
        stores.succeeded();
        assertThat(stores.failedForNanos(1_000)).isZero();
    }
}
