package dev.baton.measuring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayScheduleTest {
    private static final long[] GAPS = {100, 0, 50, 0, 0, 850};

    @Test
    void recordIsRepeatedAfterItsEnd() {
        ReplaySchedule schedule = new ReplaySchedule(5_000, ReplaySchedule.times(GAPS, 1), 0);
        assertThat(schedule.slotNanos(0)).isEqualTo(5_100);
        assertThat(schedule.slotNanos(2)).isEqualTo(5_150);
        assertThat(schedule.slotNanos(5)).isEqualTo(6_000);
        assertThat(schedule.slotNanos(6)).isEqualTo(6_100);
    }

    @Test
    void messagesAtOnceAreANanosecondApart() {
        assertThat(ReplaySchedule.times(GAPS, 1)).containsExactly(100, 101, 150, 151, 152, 1_000);
    }

    @Test
    void speedDividesTimes() {
        assertThat(ReplaySchedule.times(GAPS, 10)).containsExactly(10, 11, 15, 16, 17, 100);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 5})
    void slotsAreFoundByTheirTime(int first) {
        ReplaySchedule schedule = new ReplaySchedule(-700, ReplaySchedule.times(GAPS, 1), first);
        for (int number = 0; number < 30; number++) {
            long slot = schedule.slotNanos(number);
            assertThat(schedule.slotsBefore(slot)).isEqualTo(number);
            assertThat(schedule.slotsBefore(slot + 1)).isEqualTo(number + 1);
            assertThat(schedule.numberOf(slot)).isEqualTo(number);
        }
        assertThat(schedule.slotsBefore(Long.MIN_VALUE / 2)).isZero();
        assertThat(schedule.slotNanos(0)).isGreaterThan(-700);
    }
}
