package dev.baton.lab.study.transit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Place;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FloorTest {
    private static final long MILLI = 1_000_000;
    private static final TransitStudy STUDY = new TransitStudy(200 * MILLI, List.of());

    static PlacedTrial plan(String idle, TransitStudy study) {
        TrialPlan plan = new TrialPlan(
                "transit",
                new Subject(Subject.BATON, "disruptor", Map.of()),
                new Shape(0, 1, 216),
                new Load(2_000, Load.Arrivals.EVEN, 1),
                new LoopPlan(LoopPlan.PER_SERVICE, idle, 0),
                new Phases(100 * MILLI, 300 * MILLI, 5_000 * MILLI),
                List.of(),
                study,
                null);
        return new PlacedTrial(
                plan, new Place(System.getProperty("java.io.tmpdir"), null, null, null, null, null, false));
    }

    @AfterEach
    void noThreadIsLeft() {
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("reference-"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"yielding", "park:50us", "spin", "default"})
    void everySlotIsHandedOverAndTimed(String idle) {
        Floor floor = new Floor(plan(idle, STUDY), STUDY);
        assertThat(floor.latency).isNull();
        floor.measure(() -> false);
        assertThat(floor.latency.count()).isEqualTo(400);
        assertThat(floor.latency.minNanos()).isPositive();
        assertThat(floor.doubts).noneMatch(doubt -> doubt.contains("lost"));
    }

    @Test
    void abandonedFloorHasNoFigures() {
        Floor floor = new Floor(plan("yielding", STUDY), STUDY);
        floor.measure(() -> true);
        assertThat(floor.latency).isNull();
        assertThat(floor.doubts).isEmpty();
    }
}
