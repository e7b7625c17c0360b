package dev.baton.lab.study.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.trial.StartedWindow;
import org.junit.jupiter.api.Test;

/** What counts as time that the machine took, with a manual clock. */
class WitnessTest {
    private static final long MILLI = 1_000_000;
    private static final long MICRO = 1_000;

    private final Witness witness = new Witness(StartedWindow.at(0, 1_000 * MILLI, 1_000 * MILLI, 500 * MILLI));
    private long now = 1_100 * MILLI;

    @Test
    void aGapBetweenTwoTurnsIsLost() {
        witness.turn(now);
        witness.turn(now + 7 * MILLI);

        assertThat(witness.disturbedNanos).isEqualTo(7 * MILLI);
        assertThat(witness.worstNanos).isEqualTo(7 * MILLI);
    }

    @Test
    void ordinaryGapsAreNotLost() {
        for (int i = 0; i < 1_000; i++) {
            witness.turn(now += 200 * MICRO);
        }

        assertThat(witness.disturbedNanos).isZero();
    }

    @Test
    void lateWakeUpIsLostTime() {
        witness.turn(now);
        witness.beginWait(now, 10 * MILLI);
        witness.endWait(now + 13 * MILLI);

        assertThat(witness.disturbedNanos).isEqualTo(3 * MILLI);
    }

    @Test
    void delayCountsFromTheWakeUp() {
        witness.turn(now);
        witness.beginWait(now, 10 * MILLI);
        witness.woken(now + 2 * MILLI);
        witness.endWait(now + 6 * MILLI);

        assertThat(witness.disturbedNanos).isEqualTo(4 * MILLI);
    }

    @Test
    void plannedStallIsNotLostTime() {
        witness.turn(now);
        witness.stoodUntil(now + 200 * MILLI, now + 201 * MILLI);
        witness.turn(now + 201 * MILLI + 10 * MICRO);

        assertThat(witness.disturbedNanos).isEqualTo(MILLI);
    }

    @Test
    void onlyTheMeasurementCounts() {
        witness.turn(100 * MILLI);
        witness.turn(900 * MILLI);
        witness.beginWait(900 * MILLI, 100 * MILLI);
        witness.endWait(1_000 * MILLI);
        witness.beginWait(1_000 * MILLI, 1_200 * MILLI);
        witness.endWait(2_900 * MILLI);

        assertThat(witness.disturbedNanos).isZero();
    }
}
