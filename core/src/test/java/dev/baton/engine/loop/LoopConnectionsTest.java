package dev.baton.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How long a loop waits. */
class LoopConnectionsTest {
    @Test
    void loopWithoutConnectionsWaitsForTheMaximum() {
        ParkingEnvironment environment = new ParkingEnvironment();
        new LoopConnections(environment).await(2_000_000_000);
        assertThat(environment.parks).containsExactly(2_000_000_000L);
    }
}
