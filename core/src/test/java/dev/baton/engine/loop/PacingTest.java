package dev.baton.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How often a loop with a latency budget sweeps. */
class PacingTest {
    private static final long BUDGET_NANOS = 90_000_000;
    private static final long LONGEST_NANOS = 30_000_000; // a third of it
    private static final long SHORT_SWEEP_NANOS = 20_000;
    private static final int SWEEPS = 1_000;

    private final Pacing pacing = new Pacing();

    @BeforeEach
    void setBudget() {
        pacing.bound(BUDGET_NANOS, 1, 0);
    }

    /** The period after many such sweeps, each of which takes a fixed time and some more for each nanosecond of the period. */
    private long settled(long fixedNanos, double share, int work) {
        long period = 0;
        for (int i = 0; i < SWEEPS; i++) {
            period = pacing.periodNanos(fixedNanos + (long) (share * period), work);
            assertThat(period).isBetween(0L, LONGEST_NANOS);
        }
        return period;
    }

    @Test
    void withoutABudgetThereIsNoPacing() {
        pacing.bound(0, 1, 0);
        assertThat(pacing.isOn()).isFalse();
        pacing.bound(BUDGET_NANOS, 1, 0);
        assertThat(pacing.isOn()).isTrue();
    }

    @Test
    void lightlyLoadedLoopIsBusyHalfItsTime() {
        assertThat(settled(SHORT_SWEEP_NANOS, 0, 1)).isBetween(2 * SHORT_SWEEP_NANOS, 4 * SHORT_SWEEP_NANOS);
    }

    @Test
    void loopAtTenPercentLoadStillSweepsOften() {
        assertThat(settled(SHORT_SWEEP_NANOS, 0.1, 1)).isLessThan(LONGEST_NANOS / 100);
    }

    @Test
    void loopNearSaturationSpendsItsWholeBudget() {
        assertThat(settled(SHORT_SWEEP_NANOS, 0.6, 1)).isGreaterThan(LONGEST_NANOS * 99 / 100);
    }

    @Test
    void aLoopWithoutWorkRestsLonger() {
        assertThat(settled(SHORT_SWEEP_NANOS, 0, 0)).isGreaterThan(40 * SHORT_SWEEP_NANOS);
    }

    @Test
    void serverTimeCountsOnlyWhereServersAreAsked() {
        pacing.bound(BUDGET_NANOS, 1, 6);
        assertThat(settled(SHORT_SWEEP_NANOS, 0, 1)).isGreaterThan(1_000_000);
        pacing.bound(BUDGET_NANOS, 1, 6_000);
        assertThat(settled(SHORT_SWEEP_NANOS, 0, 1)).isGreaterThan(LONGEST_NANOS * 99 / 100);
        pacing.bound(BUDGET_NANOS, 1, 0);
        assertThat(settled(SHORT_SWEEP_NANOS, 0, 1)).isLessThan(4 * SHORT_SWEEP_NANOS);
    }

    @Test
    void moreSweepsForAMessageShareItsBudget() {
        pacing.bound(BUDGET_NANOS, 6, 0);
        assertThat(settled(SHORT_SWEEP_NANOS, 0.9, 1)).isBetween(LONGEST_NANOS / 6 * 99 / 100, LONGEST_NANOS / 6);
    }

    @Test
    void aShorterBudgetCountsAtOnce() {
        settled(SHORT_SWEEP_NANOS, 0.9, 1);
        pacing.bound(BUDGET_NANOS / 10, 1, 0);
        assertThat(pacing.periodNanos(LONGEST_NANOS, 1)).isLessThanOrEqualTo(LONGEST_NANOS / 10);
    }
}
