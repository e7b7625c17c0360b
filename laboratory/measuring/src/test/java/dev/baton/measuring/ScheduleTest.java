package dev.baton.measuring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScheduleTest {
    private static final long START = -5_000_000_000L; // System.nanoTime may well be negative

    static List<Schedule> schedules() {
        return List.of(
                new EvenSchedule(START, 1_000_000),
                new EvenSchedule(START, 1e9 / 3),
                new EvenSchedule(START, 2.5),
                new PoissonSchedule(START, 1_000_000, 7),
                new PoissonSchedule(START, 3, 8),
                new BurstSchedule(START, 1e9 / 3, 7),
                new BurstSchedule(START, 10_000, 5_000),
                new BurstSchedule(START, 1_000_000, 1),
                new BacklogSchedule(new EvenSchedule(START, 1_000), START + 10_500, 2_000),
                new BacklogSchedule(new EvenSchedule(START, 2.5), START + 3, 10));
    }

    @Test
    void evenSlotsDoNotDrift() {
        Schedule thirds = new EvenSchedule(START, 1e9 / 3);

        assertThat(thirds.slotNanos(3 * 86_400)).isEqualTo(START + 86_400_000_000_000L);
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void slotsIncreaseAndAreFoundByTime(Schedule schedule) {
        long last = schedule.slotNanos(0) - 1;
        for (long k = 0; k < 5_000; k++) {
            long slot = schedule.slotNanos(k);
            assertThat(slot).isGreaterThan(last);
            assertThat(schedule.numberOf(slot)).isEqualTo(k);
            last = slot;
        }
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void slotsNeverMove(Schedule schedule) {
        long slot = schedule.slotNanos(4_321);
        schedule.slotNanos(0);
        schedule.slotNanos(100_000);
        schedule.numberOf(schedule.slotNanos(2_000));

        assertThat(schedule.slotNanos(4_321)).isEqualTo(slot);
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void timeBetweenSlotsHasNoNumber(Schedule schedule) {
        assertThat(schedule.numberOf(START - 1)).isEqualTo(-1);
        for (long k = 0; k < 100; k++) {
            long between = schedule.slotNanos(k) + 1;
            if (between != schedule.slotNanos(k + 1)) {
                assertThat(schedule.numberOf(between)).isEqualTo(-1);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void slotsBeforeAMomentAreCounted(Schedule schedule) {
        assertThat(schedule.slotsBefore(schedule.slotNanos(0))).isZero();
        for (long k : new long[] {1, 6, 7, 1_023, 1_024, 1_025, 30_000, 5_000, 2}) {
            long slot = schedule.slotNanos(k);
            assertThat(schedule.slotsBefore(slot)).isEqualTo(k);
            assertThat(schedule.slotsBefore(slot + 1)).isEqualTo(k + 1);
            assertThat(schedule.slotsBefore(schedule.slotNanos(k - 1) + 1)).isEqualTo(k);
        }
    }

    @Test
    void poissonGapsAreExponential() {
        Schedule schedule = new PoissonSchedule(0, 1_000_000, 99);
        int count = 200_000;
        double squares = 0;
        long previous = schedule.slotNanos(0);
        for (int k = 1; k <= count; k++) {
            long gap = schedule.slotNanos(k) - previous;
            squares += (gap - 1e6) * (gap - 1e6);
            previous = schedule.slotNanos(k);
        }

        assertThat(previous / (double) count).isCloseTo(1e6, within(1e4));
        assertThat(Math.sqrt(squares / count)).isCloseTo(1e6, within(2e4));
    }

    @Test
    void burstsKeepTheRate() {
        Schedule schedule = new BurstSchedule(START, 20_000_000, 20);

        assertThat(schedule.slotNanos(19) - schedule.slotNanos(0)).isEqualTo(19);
        assertThat(schedule.slotNanos(20)).isEqualTo(START + 20_000_000);
        assertThat(schedule.slotNanos(1_000_000)).isEqualTo(START + 1_000_000_000_000L);
    }

    @Test
    void backlogComesBesideEvenSlots() {
        Schedule schedule = new BacklogSchedule(new EvenSchedule(START, 1_000), START + 2_500, 100);

        assertThat(schedule.slotNanos(2)).isEqualTo(START + 2_000);
        assertThat(schedule.slotNanos(3)).isEqualTo(START + 2_500);
        assertThat(schedule.slotNanos(102)).isEqualTo(START + 2_599);
        assertThat(schedule.slotNanos(103)).isEqualTo(START + 3_100);
    }

    @Test
    void theSameSeedIsTheSameProcess() {
        assertThat(new PoissonSchedule(0, 1e6, 5).slotNanos(10_000))
                .isEqualTo(new PoissonSchedule(0, 1e6, 5).slotNanos(10_000))
                .isNotEqualTo(new PoissonSchedule(0, 1e6, 6).slotNanos(10_000));
    }

    @Test
    void anIntervalThatWouldMergeSlotsIsRefused() {
        assertThatThrownBy(() -> new EvenSchedule(0, 1)).hasMessageContaining("interval of 1.0 ns; 2 ns or more");
        assertThatThrownBy(() -> new PoissonSchedule(0, 0, 1)).hasMessageContaining("2 ns or more");
        assertThatThrownBy(() -> new BurstSchedule(0, 19, 10)).hasMessageContaining("20 ns or more is allowed");
        assertThatThrownBy(() -> new BurstSchedule(0, 19, 0)).hasMessageContaining("bursts of 0 messages");
    }
}
