package dev.baton.lab.trial;

import static dev.baton.lab.trial.Bench.MILLI;
import static dev.baton.lab.trial.Bench.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Load.LatencyFrom;
import org.junit.jupiter.api.Test;

/** A generator that stands still for 200 ms of a second, read from the slot and from the send. */
class LatencyFromTest {
    private static Bench stalled(LatencyFrom from) {
        Load load = Plans.EVEN_1000.readFrom(from);
        Bench bench = new Bench(load, 60 * SECOND).start(0, SECOND, SECOND);
        bench.runUntil(300 * MILLI);
        bench.now = 500 * MILLI;
        bench.runUntil(SECOND + MILLI);
        return bench;
    }

    @Test
    void instanceIsJudgedFromConfiguredBegin() {
        Bench slot = stalled(LatencyFrom.SLOT);
        Bench send = stalled(LatencyFrom.SEND);

        assertThat(slot.settle().worstInstances().get(0).p99Nanos()).isBetween(185 * MILLI, 200 * MILLI);
        assertThat(send.settle().worstInstances().get(0).p99Nanos()).isLessThan(MILLI);
        assertThat(send.figures.response().getMaxValue()).isGreaterThan(195 * MILLI); // both readings are kept
        assertThat(slot.figures.service().getMaxValue()).isLessThan(MILLI);
    }

    @Test
    void unsentMessageHasNoSendLatency() {
        Load load = Plans.EVEN_1000.readFrom(LatencyFrom.SEND);
        Bench bench = new Bench(load, 60 * SECOND).start(0, SECOND, SECOND);
        bench.runUntil(500 * MILLI);
        bench.room = 0;
        bench.runUntil(2 * SECOND);
        FinalCounts accounting = bench.settle();

        assertThat(accounting.worstInstances().get(0).maxNanos()).isLessThan(MILLI);
        assertThat(accounting.delivery().unsent()).isBetween(499L, 501L);
        assertThat(accounting.rate().worstShare()).isBetween(0.49, 0.51);
    }
}
