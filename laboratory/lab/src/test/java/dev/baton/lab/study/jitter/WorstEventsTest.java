package dev.baton.lab.study.jitter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lab.study.jitter.WorstEvents.Kept;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WorstEventsTest {
    private static final long INTERVAL = 100_000;

    @Test
    void theLongestAreKeptLongestFirst() {
        WorstEvents worst = new WorstEvents(3, 0, () -> 0);
        long[] lengths = {5_000, 90_000, 1_000, 70_000, 2_000, 80_000, 3_000};
        for (int i = 0; i < lengths.length; i++) {
            worst.onArrival(i * INTERVAL, 0, lengths[i]);
        }
        assertThat(worst.longestFirst())
                .containsExactly(
                        new Kept(INTERVAL, 0, 90_000, 1),
                        new Kept(5 * INTERVAL, 0, 80_000, 1),
                        new Kept(3 * INTERVAL, 0, 70_000, 1));
    }

    @Test
    void theSameAsSortingAllOfThem() {
        WorstEvents worst = new WorstEvents(100, 0, () -> 0);
        Random random = new Random(7);
        List<Long> all = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            long length = 1 + random.nextInt(90_000);
            all.add(length);
            worst.onArrival(i * INTERVAL, 0, length);
        }
        all.sort(Comparator.reverseOrder());
        assertThat(worst.longestFirst()).extracting(Kept::nanos).isEqualTo(all.subList(0, 100));
    }

    @Test
    void stallIsOneEvent() {
        WorstEvents worst = new WorstEvents(10, 0, () -> 0);
        long end = 20 * INTERVAL; // everything due before that arrives then
        for (int i = 0; i < 20; i++) {
            worst.onArrival(i * INTERVAL, end - i * INTERVAL, end - i * INTERVAL + 500);
        }
        worst.onArrival(21 * INTERVAL, 0, 200);
        assertThat(worst.longestFirst())
                .containsExactly(new Kept(0, end, end + 500, 20), new Kept(21 * INTERVAL, 0, 200, 1));
    }

    @Test
    void growingEventKeepsItsLongestMessage() {
        WorstEvents worst = new WorstEvents(10, 0, () -> 0);
        worst.onArrival(0, 0, 150_000);
        worst.onArrival(100_000, 60_000, 400_000);
        worst.onArrival(200_000, 0, 310_000);
        assertThat(worst.longestFirst()).containsExactly(new Kept(100_000, 60_000, 400_000, 3));
        assertThat(worst.longestFirst().get(0).serviceNanos()).isEqualTo(340_000);
        assertThat(worst.longestFirst().get(0).sentNanos()).isEqualTo(160_000);
        assertThat(worst.longestFirst().get(0).endNanos()).isEqualTo(500_000);
    }

    @Test
    void warmUpAndShortEventsAreNotKept() {
        WorstEvents worst = new WorstEvents(10, 10_000, () -> INTERVAL);
        worst.onArrival(0, 0, 90_000);
        worst.onArrival(INTERVAL, 0, 9_999);
        worst.onArrival(2 * INTERVAL, 0, 10_000);
        assertThat(worst.longestFirst()).containsExactly(new Kept(2 * INTERVAL, 0, 10_000, 1));
    }

    @Test
    void clockOverflowChangesNothing() {
        long start = Long.MAX_VALUE - INTERVAL;
        WorstEvents worst = new WorstEvents(10, 0, () -> start);
        worst.onArrival(start, 0, 150_000);
        worst.onArrival(start + INTERVAL, 0, 90_000);
        worst.onArrival(start + 2 * INTERVAL, 0, 1_000);
        assertThat(worst.longestFirst())
                .containsExactly(new Kept(start, 0, 150_000, 2), new Kept(start + 2 * INTERVAL, 0, 1_000, 1));
    }

    @Test
    void zeroRoomIsRefused() {
        assertThatThrownBy(() -> new WorstEvents(0, 0, () -> 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("room for 0 entries; 1 or more");
    }
}
