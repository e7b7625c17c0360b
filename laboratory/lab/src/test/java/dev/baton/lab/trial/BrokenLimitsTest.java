package dev.baton.lab.trial;

import static dev.baton.lab.trial.Bench.MILLI;
import static dev.baton.lab.trial.Bench.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Load.LatencyFrom;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.operations.chains.NamedChain;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Ten instances at 1,000 messages/s for 100 s: a limit on p99.9 allows each 100 late messages, and all of them 1,000. */
class BrokenLimitsTest {
    private static final Limit LIMIT = new Limit(99.9, 100 * MILLI);
    private static final Limit NARROW = new Limit(99.99, 500 * MILLI);

    private final LatencyHistograms recorded = LatencyHistograms.upTo(60 * SECOND);
    private Phases phases = new Phases(0, 100 * SECOND, SECOND).endingWhenBroken();

    private BrokenLimits limits(Load load, Limit... limits) {
        return limits(new Shape(5, 10, 0), load, limits);
    }

    private BrokenLimits limits(Shape shape, Load load, Limit... limits) {
        Subject subject = new Subject(Subject.BATON, "memory", Map.of());
        LoopPlan loops = new LoopPlan("cooperative:1", null, 0);
        return BrokenLimits.of(new TrialPlan("one", subject, shape, load, loops, phases, List.of(limits)));
    }

    private void late(int messages, long responseMillis, long serviceMillis) {
        for (int i = 0; i < messages; i++) {
            recorded.recordArrival(responseMillis * MILLI, serviceMillis * MILLI);
        }
    }

    @Test
    void twiceTheAllowedLateMessagesExceedLimit() {
        late(1_000_000, 99, 99);
        late(2_000, 101, 101);
        assertThat(limits(Plans.EVEN_1000, LIMIT).first(recorded)).isEmpty();

        late(1, 101, 101);
        assertThat(limits(Plans.EVEN_1000, LIMIT).first(recorded)).contains(LIMIT);
    }

    /** Each of a million messages leads to four outputs, each of which has a response. */
    @Test
    void manyOutputsBreakNoKeptLimit() {
        late(3_997_000, 99, 99);
        late(3_000, 101, 101);
        assertThat(recorded.response().getValueAtPercentile(99.9)).isLessThan(100 * MILLI);

        NamedChain chain = new NamedChain("many-outputs", new TreeMap<>(), "", "");
        assertThat(limits(new Shape(2, 10, 16, chain), Plans.EVEN_1000, LIMIT).first(recorded))
                .isEmpty();
    }

    /** A burst of 10,000 messages each ten seconds: a window of four seconds has one, or none. */
    @Test
    void wholeBurstBreaksNoKeptLimit() {
        phases = new Phases(0, 4 * SECOND, SECOND).endingWhenBroken();
        late(9_910, 99, 99);
        late(90, 101, 101);
        Limit limit = new Limit(99, 100 * MILLI);
        assertThat(recorded.response().getValueAtPercentile(99)).isLessThan(limit.nanos());

        Load bursts = Plans.EVEN_1000.arriving(Load.Arrivals.BURSTS, 10_000);
        assertThat(limits(new Shape(5, 1, 0), bursts, limit).first(recorded)).isEmpty();
    }

    @Test
    void firstExceededLimitIsNamed() {
        late(201, 600, 600);

        assertThat(limits(Plans.EVEN_1000, LIMIT, NARROW).first(recorded)).contains(NARROW);
    }

    @Test
    void sendLatenciesCountOnlyIfJudged() {
        late(3_000, 200, 1);

        assertThat(limits(Plans.EVEN_1000.readFrom(LatencyFrom.SEND), LIMIT).first(recorded))
                .isEmpty();
        assertThat(limits(Plans.EVEN_1000, LIMIT).first(recorded)).contains(LIMIT);
    }

    @Test
    void wholeMeasurementIsNotEndedEarly() {
        late(1_000_000, 200, 200);
        assertThat(limits(Load.saturating(1), LIMIT).first(recorded)).isEmpty();

        phases = new Phases(0, 100 * SECOND, SECOND);
        assertThat(limits(Plans.EVEN_1000, LIMIT).first(recorded)).isEmpty();
    }
}
