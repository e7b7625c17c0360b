package dev.baton.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.trial.ends.ArrivalListener;
import dev.baton.lab.trial.ends.Instance;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.lab.trial.ends.Window;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.NanoClock;
import dev.baton.measuring.RecorderPool;
import dev.baton.measuring.machine.SenderGaps;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A closed loop over a wire and a manual clock. */
class ClosedLoopTest {
    private static final long SECOND = 1_000_000_000;
    private static final int CLIENTS = 3;

    private long now = 1;
    private final Window window = new Window(Window.LEAST_GRACE_NANOS);
    private final RecorderPool recorders = new RecorderPool(100 * SECOND);
    private final NanoClock clock = () -> now;
    private Instance instance = under(Load.closed(CLIENTS, 1));
    private final Deque<long[]> wire = new ArrayDeque<>();

    private Instance under(Load load) {
        return Instance.of(
                null,
                new TrialPlan(
                        "t",
                        new Subject(Subject.BATON, "wire", Map.of()),
                        new Shape(5, 1, 0),
                        load,
                        new LoopPlan("cooperative:1", null, 0),
                        new Phases(SECOND, SECOND, SECOND),
                        List.of()),
                0,
                null,
                null,
                new Instruments.Meters(window, clock, recorders, SenderGaps.Pool.none(), 100 * SECOND),
                ArrivalListener.NONE);
    }

    private int send() {
        return instance.generator().onTurn((number, origin, tag) -> wire.add(new long[] {origin, tag}));
    }

    private void answerOne() {
        long[] message = wire.poll();
        instance.receiver().onMessage(message[0], (int) message[1], 5, 0, null);
    }

    private LatencyHistograms recorded() {
        LatencyHistograms sum = LatencyHistograms.upTo(100 * SECOND);
        recorders.takeInterval(sum);
        return sum;
    }

    @Test
    void clientSendsAfterItsAnswer() {
        window.start(now, SECOND, SECOND, SECOND);
        assertThat(send()).isEqualTo(CLIENTS);
        now += 1000;
        assertThat(send()).isZero();
        answerOne();
        assertThat(send()).isEqualTo(1);
        assertThat(instance.generator().sentCount() - instance.receiver().receivedCount())
                .isEqualTo(CLIENTS);
    }

    @Test
    void answersWithinWindowAreRecorded() {
        window.start(now, SECOND, SECOND, SECOND);
        send();
        now = window.measureNanos() - 1;
        answerOne(); // in the warm-up
        now = window.measureNanos();
        answerOne(); // sent in the warm-up, answered in the window
        now = window.endNanos() - 1;
        answerOne();
        send();
        now = window.endNanos();
        answerOne(); // sent in the window, answered behind it
        LatencyHistograms recorded = recorded();
        assertThat(recorded.response().getTotalCount()).isEqualTo(2);
        assertThat(recorded.service().getTotalCount()).isEqualTo(2);
        assertThat(instance.responses().count()).isEqualTo(2);
        assertThat(instance.receiver().receivedCount()).isEqualTo(4);
        assertThat(instance.receiver().firstNanos()).isEqualTo(window.measureNanos() - 1);
    }

    @Test
    void saturatedRateCountsArrivalsWithinWindow() {
        instance = under(Load.saturating(1));
        window.start(now, SECOND, SECOND, SECOND);
        send();
        for (now = window.measureNanos() - 1; now < window.endNanos(); now += SECOND / 50) {
            answerOne(); // the first one in the warm-up; all were sent there
        }
        send();
        now = window.endNanos();
        while (!wire.isEmpty()) {
            answerOne();
        }
        FinalCounts accounting =
                TrialAccounting.settle(List.of(instance), window, any -> true, LatencyHistograms.upTo(100 * SECOND));
        assertThat(accounting.rate().achievedPerSecond()).isEqualTo(50);
        assertThat(accounting.rate().worstShare()).isEqualTo(1);
    }

    @Test
    void slowChainHasASecondInFlight() {
        instance = under(Load.saturating(1));
        window.start(now, 10 * SECOND, SECOND, SECOND);
        for (int i = 0; i < 10 * 1_000; i++) {
            send();
            answerOne();
            now += SECOND / 1_000;
        }
        assertThat(wire).hasSizeBetween(900, 1_000);
    }

    @Test
    void fastChainFillsItsRings() {
        instance = under(Load.saturating(1));
        window.start(now, SECOND, SECOND, SECOND);
        for (int i = 0; i < 500; i++) {
            send();
            for (int j = 0; j < 64; j++) {
                answerOne();
            }
            now += SECOND / 1_000;
        }
        assertThat(wire).hasSizeGreaterThan(10_000);
    }

    @Test
    void unansweredRequestIsLostAndCharged() {
        window.start(now, SECOND, SECOND, SECOND);
        now = window.measureNanos() + 5;
        send();
        now += 1_000;
        answerOne();
        answerOne();
        now = window.deadlineNanos();
        LatencyHistograms sum = recorded();
        FinalCounts accounting = TrialAccounting.settle(List.of(instance), window, any -> true, sum);
        assertThat(accounting.delivery().lost()).isEqualTo(1);
        assertThat(sum.response().getTotalCount()).isEqualTo(3);
        assertThat(sum.response().getMaxValue()).isGreaterThanOrEqualTo(2 * SECOND - SECOND / 100);
    }
}
