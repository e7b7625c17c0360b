package dev.baton.aeron.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StagingPoolTest {
    private static final int MANY = 9;

    private final StagingPool pool = new StagingPool();

    @Test
    void memoryGivenLastIsTakenFirst() {
        int[] taken = IntStream.range(0, MANY).map(i -> pool.take()).toArray();
        Set<ByteBuffer> memory = new HashSet<>();
        for (int number : taken) {
            memory.add(pool.memory(number).putInt(0, number));
        }
        assertThat(memory).hasSize(MANY);
        for (int number : taken) {
            pool.give(number);
        }
        for (int i = MANY - 1; i >= 0; i--) {
            assertThat(pool.take()).isEqualTo(taken[i]);
        }
    }

    @Test
    void grownMemoryKeepsContentAndNumber() {
        int number = pool.take();
        int before = pool.memory(number).putLong(0, 7).capacity();
        ByteBuffer larger = pool.grow(number, before + 1);
        pool.give(number);

        assertThat(larger.capacity()).isEqualTo(2 * before);
        assertThat(larger.getLong(0)).isEqualTo(7);
        assertThat(pool.memory(pool.take())).isSameAs(larger);
    }

    @Test
    void batchTakesMemoryThatAnotherHasGrown() {
        StagedBatch small = new StagedBatch(pool);
        small.claim(8);
        small.commit(8, 1);
        small.clear();
        StagedBatch large = new StagedBatch(pool);
        large.claim(1 << 20);
        large.commit(1 << 20, 1);
        large.clear();

        assertThat(small.claim(8).length()).isEqualTo(8);
        small.commit(8, 2);
        assertThat(small.memory().capacity()).isGreaterThan(1 << 20);
        assertThat(small.memory()).isSameAs(large.memory());
    }
}
