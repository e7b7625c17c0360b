package dev.baton.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.simulation.plan.Rule;
import org.junit.jupiter.api.Test;

/** A schedule that fails is made shorter, and fails in the same way. */
class ShrinkerTest {
    @Test
    void shrunkScheduleViolatesSameRule() throws Exception {
        String[] shrunk = FlawedClasses.shrunk(Flaws.named("failed-chain-goes-on"), 1, 1_000)
                .split(" ");
        int steps = Integer.parseInt(shrunk[1]);
        assertThat(steps).isLessThanOrEqualTo(Integer.parseInt(shrunk[0])).isLessThan(200);
        assertThat(Integer.parseInt(shrunk[2])).as("lines of its text").isPositive();
        assertThat(shrunk[3]).isEqualTo(Rule.FAILED_RUNS.name());
    }
}
