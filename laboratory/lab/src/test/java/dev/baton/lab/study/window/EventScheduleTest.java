package dev.baton.lab.study.window;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventScheduleTest {
    private static final long START = Long.MAX_VALUE - 5_000_000; // the clock wraps around meanwhile
    private static final long STEP = 10_000;

    @ParameterizedTest
    @ValueSource(doubles = {100, 333.3333, 1_000, 9_999.5, 10_000, 25_000})
    void aWindowHoldsTheEventsWhoseSlotsLieInIt(double interval) {
        for (int part = 0; part < 3; part++) {
            EventSchedule schedule = new EventSchedule(START, part, 3, interval, STEP);
            for (int step = 1; step <= 700; step++) {
                long count = 0;
                for (long number = Math.max(0, (long) ((step - 9) * STEP / interval));
                        schedule.slotNanos(number) - schedule.endOf(step) < 0;
                        number++) {
                    if (schedule.slotNanos(number) - schedule.endOf(Math.max(0, step - 5)) >= 0) {
                        count++;
                    }
                }
                assertThat(schedule.eventsIn(step, 5)).as("step %d", step).isEqualTo(count);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void partsDealTheKeysOut(int parts) {
        int sum = 0;
        for (int part = 0; part < parts; part++) {
            sum += Part.KeyStream.share(100, part, parts);
        }
        assertThat(sum).isEqualTo(100);
    }
}
