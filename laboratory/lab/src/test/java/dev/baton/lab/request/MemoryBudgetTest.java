package dev.baton.lab.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryBudgetTest {
    private static final long MEGA = 1 << 20;

    @ParameterizedTest
    @ValueSource(longs = {64, 65, 72, 96, 128, 200, 256, 1000, 1024, 65_536})
    void partsAddUpToTheBudget(long megabytes) {
        MemoryBudget budget = MemoryBudget.of(megabytes * MEGA, 0, false);
        long sum = budget.heapBytes()
                + budget.directBytes()
                + budget.metaspaceBytes()
                + budget.codeBytes()
                + budget.threads() * budget.stackBytes()
                + budget.ownBytes();
        assertThat(sum).isEqualTo(megabytes * MEGA);
        assertThat(budget.heapBytes()).isGreaterThanOrEqualTo(6 * MEGA);
    }

    @Test
    void moreMemoryIsNeverLessHeap() {
        long before = 0;
        for (long size = 64; size < 3000; size++) {
            long heap = MemoryBudget.of(size * MEGA, 0, false).heapBytes();
            assertThat(heap).isGreaterThanOrEqualTo(before - 3 * MEGA); // a share of the others may take its step first
            before = Math.max(before, heap);
        }
    }

    @Test
    void impossiblePartsAreRefused() {
        assertThatThrownBy(() -> new MemoryBudget(64 * MEGA, 1, 1, 1, 1, 1, 1, 1, false))
                .hasMessage("the parts add up to 6 bytes and not to 67108864");
        assertThatThrownBy(() -> MemoryBudget.of(64 * MEGA, 60, false))
                .hasMessageContaining("memory of 64 MiB leaves")
                .hasMessageContaining("84 stacks of 256 KiB");
        assertThatThrownBy(() -> MemoryBudget.of(63 * MEGA, 0, false)).hasMessageContaining("out of range");
    }

    @Test
    void onlyAClosedLoopHasAConcurrency() {
        assertThat(Load.closed(50, 1).isClosed()).isTrue();
        assertThat(Load.closed(50, 1).inFlight(1)).isEqualTo(50);
        assertThat(Load.closed(50, 1).seeded(9)).isEqualTo(Load.closed(50, 9));
        assertThat(Load.saturating(1).isClosed()).isFalse();
        assertThat(Load.saturating(1).inFlight(1)).isGreaterThan(1_000);
        assertThatThrownBy(() -> new Load(1000, Load.Arrivals.EVEN, 1, 50, 0, null, null, null, 0, 0))
                .hasMessage("concurrency 50 is out of range; 0 to 0");
        assertThatThrownBy(() -> Load.closed(0, 1)).hasMessage("concurrency 0 is out of range; 1 to 100000");
    }
}
