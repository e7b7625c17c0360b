package dev.baton.lab.study.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Load.Arrivals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventScheduleTest {
    private static final long START = Long.MAX_VALUE - 5_000_000; // the clock wraps around meanwhile
    private static final long STEP = 10_000;

    @ParameterizedTest
    @ValueSource(doubles = {100, 333.3333, 1_000, 9_999.5, 10_000, 25_000})
    void stepContainsEventsOfItsSlots(double interval) {
        for (int part = 0; part < 3; part++) {
            checkSteps(new EventSource.EventSchedule(START, part, 3, new Load(1e9 / interval, Arrivals.EVEN, 1), STEP));
        }
    }

    @ParameterizedTest
    @CsvSource({"POISSON, 0", "BURSTS, 2", "BURSTS, 300"})
    void unevenStepContainsEventsOfItsSlots(Arrivals arrivals, int burst) {
        for (int part = 0; part < 3; part++) {
            checkSteps(new EventSource.EventSchedule(
                    7_000, part, 3, new Load(1e6, Arrivals.EVEN, 1).arriving(arrivals, burst), STEP));
        }
    }

    private static void checkSteps(EventSource.EventSchedule schedule) {
        long number = 0;
        for (int step = 1; step <= 700; step++) {
            long count = 0;
            while (schedule.slotNanos(number) - schedule.endOf(step) < 0) {
                number++;
                count++;
            }
            assertThat(schedule.eventsIn(step)).as("step %d", step).isEqualTo(count);
            assertThat(schedule.eventsBefore(schedule.endOf(step))).isEqualTo(number);
        }
    }

    @Test
    void arrivalsAreIndependentOfKeys() {
        Load load = new Load(1e6, Arrivals.POISSON, 3);
        EventSource.EventSchedule schedule = new EventSource.EventSchedule(0, 0, 1, load, STEP);
        JobPart.KeyStream keys = new JobPart.KeyStream(3, 0, 1_000, WindowStudy.KeyOrder.UNIFORM);
        int longest = 0;
        int lowKeys = 0;
        for (int event = 1; event < 10_000; event++) {
            if (schedule.slotNanos(event) - schedule.slotNanos(event - 1) > 2_000) {
                longest++;
                lowKeys += keys.of(event) < 500 ? 1 : 0;
            }
        }
        assertThat(lowKeys / (double) longest).as("of %d", longest).isBetween(0.4, 0.6);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void partsDealTheKeysOut(int parts) {
        int sum = 0;
        for (int part = 0; part < parts; part++) {
            sum += JobPart.KeyStream.share(100, part, parts);
        }
        assertThat(sum).isEqualTo(100);
    }
}
