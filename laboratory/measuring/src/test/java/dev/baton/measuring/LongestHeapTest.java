package dev.baton.measuring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LongestHeapTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 64, 1_000})
    void exactlyTheLongestAreKept(int most) {
        Random random = new Random(most);
        LongestHeap heap = new LongestHeap(most);
        List<Long> offered = new ArrayList<>();
        for (long i = 0; i < 5_000; i++) {
            long nanos = random.nextInt(10_000);
            offered.add(nanos);
            heap.offer(i, nanos, i + nanos, -i);
        }
        offered.sort(Comparator.reverseOrder());
        List<Long> kept = new ArrayList<>();
        heap.forEach((start, nanos, second, third) -> {
            assertThat(second).isEqualTo(start + nanos);
            assertThat(third).isEqualTo(-start);
            kept.add(nanos);
        });
        kept.sort(Comparator.reverseOrder());

        assertThat(kept).isEqualTo(offered.subList(0, most));
        assertThat(heap.barNanos()).isEqualTo(offered.get(most - 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, -1})
    void risingAndFallingLengthsAreNoSpecialCase(int direction) {
        LongestHeap heap = new LongestHeap(10);
        for (long i = 1; i <= 1_000; i++) {
            heap.offer(i, direction > 0 ? i : 1_001 - i, 0, 0);
        }
        List<Long> kept = new ArrayList<>();
        heap.forEach((start, nanos, second, third) -> kept.add(nanos));
        assertThat(kept).hasSize(10);
        assertThat(heap.barNanos()).isEqualTo(991);
    }

    @Test
    void allEntriesAreKeptWhileRoomRemains() {
        LongestHeap heap = new LongestHeap(2);
        heap.offer(1, 0, 0, 0);
        assertThat(heap.barNanos()).isEqualTo(-1);
        heap.offer(2, 5, 0, 0);
        assertThat(heap.barNanos()).isZero();
    }

    @Test
    void aHeapWithoutRoomIsRefused() {
        assertThatThrownBy(() -> new LongestHeap(0)).hasMessage("room for 0 entries; 1 or more is needed");
    }
}
