package dev.baton.lab.study.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.study.load.MemorySearch.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemorySearchTest {
    private static final long MEGA = 1 << 20;

    private final List<Long> tried = new ArrayList<>();

    private long smallest(long least, long most, java.util.function.LongFunction<Outcome> trial) {
        return new MemorySearch(bytes -> {
                            tried.add(bytes / MEGA);
                            return trial.apply(bytes / MEGA);
                        })
                        .smallest(least * MEGA, most * MEGA)
                / MEGA;
    }

    @ParameterizedTest
    @ValueSource(longs = {65, 72, 100, 127, 128, 129, 400, 1000, 1024})
    void answerIsWithinAStepOfSmallest(long needed) {
        long found = smallest(64, 1024, size -> size >= needed ? Outcome.ENOUGH : Outcome.OUT_OF_MEMORY);
        assertThat(found).isBetween(needed, needed + MemorySearch.STEP_MEGABYTES);
    }

    @Test
    void itHalvesUntilTheSmallestAllowedIsEnough() {
        assertThat(smallest(64, 1024, size -> Outcome.ENOUGH)).isEqualTo(64);
        assertThat(tried).containsExactly(1024L, 512L, 256L, 128L, 64L, 64L);
    }

    @Test
    void insufficientLargestHasNoAnswer() {
        assertThat(smallest(64, 256, size -> Outcome.OUT_OF_MEMORY)).isZero();
        assertThat(tried).containsExactly(256L);
    }

    @Test
    void aBrokenLimitIsTriedOnceMore() {
        List<Long> failedOnce = new ArrayList<>();
        long found = smallest(64, 128, size -> {
            if (size == 64 && failedOnce.isEmpty()) {
                failedOnce.add(size);
                return Outcome.NOT_KEPT;
            }
            return Outcome.ENOUGH;
        });
        assertThat(found).isEqualTo(64);
        assertThat(tried).containsExactly(128L, 64L, 64L, 64L);
    }

    @Test
    void unconfirmedAnswerMovesUpAStep() {
        int[] times = {0};
        long found = smallest(64, 128, size -> size == 64 && times[0]++ > 0 ? Outcome.NOT_KEPT : Outcome.ENOUGH);
        assertThat(found).isEqualTo(72);
        assertThat(tried).containsExactly(128L, 64L, 64L, 72L, 72L);
    }

    @Test
    void anEndInBetweenLeavesItInconclusive() {
        MemorySearch search = new MemorySearch(bytes -> bytes > 100 * MEGA ? Outcome.ENOUGH : Outcome.ENDED);
        assertThat(search.smallest(64 * MEGA, 128 * MEGA)).isZero();
        assertThat(search.isEnded()).isTrue();
    }
}
