package dev.baton.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/** A schedule that fails is made shorter, and fails in the same way. */
class ShrinkerTest {
    @Test
    void whatIsLeftViolatesTheSameRuleInFewerSteps() {
        Quiet.core();
        EnumSet<Known> known = EnumSet.allOf(Known.class);
        known.remove(Known.FAILED_CHAIN_GOES_ON);
        Faults faults = new Faults(known);
        try (Carrier.Pool pool = new Carrier.Pool()) {
            Outcome failing = failing(pool, faults);
            int[][] simplest = new Shrinker(pool, faults, failing).shrink();
            Outcome shrunk = Schedule.run(pool, Choices.replay(simplest), faults, true);
            assertThat(shrunk.violation().rule()).isEqualTo(Rule.FAILED_RUNS);
            assertThat(shrunk.steps()).isLessThanOrEqualTo(failing.steps()).isLessThan(200);
            assertThat(shrunk.lines()).isNotEmpty();
        }
    }

    private static Outcome failing(Carrier.Pool pool, Faults faults) {
        for (long seed = 1; seed < 1_000; seed++) {
            Outcome outcome = Schedule.run(pool, Choices.of(seed), faults, false);
            if (outcome.violation() != null && outcome.steps() > 100) {
                return outcome;
            }
        }
        throw new IllegalStateException("no schedule fails");
    }
}
