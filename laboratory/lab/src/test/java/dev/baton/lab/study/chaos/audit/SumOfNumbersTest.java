package dev.baton.lab.study.chaos.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SumOfNumbersTest {
    @Test
    void missingAndRepeatedNumbersAreFound() {
        assertThat(isOfAll(3, 5, 3 + 4 + 5, 3)).isTrue();
        assertThat(isOfAll(5, 5, 5, 1)).isTrue();
        assertThat(isOfAll(3, 5, 3 + 5, 2)).as("4 is missing").isFalse();
        assertThat(isOfAll(3, 5, 3 + 4 + 4 + 5, 4)).as("4 is there twice").isFalse();
        assertThat(isOfAll(3, 5, 3 + 3 + 5, 3)).as("3 in place of 4").isFalse();
    }

    private static boolean isOfAll(long first, long last, long sum, long count) {
        long[] words = {last, 0, first, sum, count};
        return SumOfNumbers.isOfAll(index -> words[index / Long.BYTES]);
    }
}
