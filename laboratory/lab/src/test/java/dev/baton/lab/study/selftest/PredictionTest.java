package dev.baton.lab.study.selftest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.study.selftest.Prediction.Of;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The closed-form answers, against arithmetic on paper. */
class PredictionTest {
    private static final long MILLI = 1_000_000;

    private static TrialPlan plan(long measureMillis, PlantedFault... faults) {
        return new TrialPlan(
                "paper",
                new Subject(Subject.BATON, SelftestStudy.TRANSPORT, Map.of()),
                new Shape(1, 1, 0),
                new Load(1_000, Load.Arrivals.EVEN, 1),
                new LoopPlan(LoopPlan.PER_SERVICE, null, 0),
                new Phases(0, measureMillis * MILLI, 500 * MILLI),
                List.of(),
                SelftestStudy.of(faults),
                null);
    }

    private static long[] rising(TrialPlan plan, Of kind) {
        long[] values = Prediction.values(plan, 0, kind);
        Arrays.sort(values);
        return values;
    }

    /** (L - limit) / T, wherever the thread stands that stalls. */
    @ParameterizedTest
    @CsvSource({
        "200, 100, 100000, GENERATOR",
        "200, 100, 100000, RECEIVER",
        "50, 10, 20000, SERVICE",
        "999, 10, 5000, GENERATOR"
    })
    void shareOverLimitFollowsFromStall(
            long stallMillis, long limitMillis, long everyMillis, PlantedFault.Place place) {
        TrialPlan plan = plan(everyMillis, PlantedFault.stall(0, place, 1_000 * MILLI, stallMillis * MILLI));
        long above = Arrays.stream(Prediction.values(plan, 0, Of.RESPONSE))
                .filter(nanos -> nanos > limitMillis * MILLI)
                .count();

        assertThat(above / (double) everyMillis)
                .isCloseTo((stallMillis - limitMillis) / (double) everyMillis, within(1e-9));
    }

    @Test
    void generatorStallIsSendDelayOtherService() {
        TrialPlan late = plan(1_000, PlantedFault.stall(0, PlantedFault.Place.GENERATOR, 0, 100 * MILLI));
        TrialPlan slow = plan(1_000, PlantedFault.stall(0, PlantedFault.Place.SERVICE, 0, 100 * MILLI));

        assertThat(rising(late, Of.SEND_DELAY)[999]).isEqualTo(100 * MILLI);
        assertThat(rising(late, Of.SERVICE)[999]).isZero();
        assertThat(rising(slow, Of.SEND_DELAY)[999]).isZero();
        assertThat(rising(slow, Of.SERVICE)[999]).isEqualTo(100 * MILLI);
    }

    /** L - (1 - p) T. */
    @Test
    void percentileFollowsFromStallLength() {
        long[] values =
                rising(plan(3_000, PlantedFault.stall(0, PlantedFault.Place.RECEIVER, 0, 200 * MILLI)), Of.RESPONSE);

        assertThat(values[2_969]).isEqualTo(170 * MILLI); // p99
        assertThat(values[2_996]).isEqualTo(197 * MILLI); // p99.9
    }

    @Test
    void shorterDelayWaitsForPredecessor() {
        TrialPlan plan = plan(100, PlantedFault.delay(0, 0, 10 * MILLI), PlantedFault.delay(0, 50 * MILLI, 5 * MILLI));
        long[] values = Prediction.values(plan, 0, Of.RESPONSE);

        assertThat(values[49]).isEqualTo(10 * MILLI);
        assertThat(values[50]).isEqualTo(9 * MILLI);
        assertThat(values[54]).isEqualTo(5 * MILLI);
        assertThat(values[99]).isEqualTo(5 * MILLI);
    }

    @Test
    void missingMessagesAreChargedUntilDeadline() {
        TrialPlan plan =
                plan(1_000, PlantedFault.each(PlantedFault.Kind.LOSE, 0, 100), PlantedFault.refuse(0, 900 * MILLI));
        long[] values = Prediction.values(plan, 0, Of.RESPONSE);

        assertThat(values[99]).isEqualTo(1_401 * MILLI);
        assertThat(values[100]).isZero();
        assertThat(values[900]).isEqualTo(600 * MILLI);
        assertThat(Prediction.values(plan, 0, Of.SERVICE)).hasSize(900);
    }
}
