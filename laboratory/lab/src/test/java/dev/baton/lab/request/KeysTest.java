package dev.baton.lab.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.function.LongToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTest {
    private static final int DRAWN = 100_000;

    private static int[] counts(Keys keys) {
        LongToIntFunction drawn = keys.drawn(1);
        int[] counts = new int[keys.count()];
        for (int i = 0; i < DRAWN; i++) {
            counts[drawn.applyAsInt(i)]++;
        }
        return counts;
    }

    @Test
    void keysAreEquallyOftenByDefault() {
        assertThat(Arrays.stream(counts(new Keys(10, 0)))).allMatch(count -> count > 9_500 && count < 10_500);
    }

    @Test
    void skewedKeysFollowZipf() {
        int[] counts = counts(new Keys(1_000, 1));
        assertThat(counts[0] / (double) counts[1]).isBetween(1.9, 2.1);
        assertThat(counts[0] / (double) counts[9]).isBetween(9.0, 11.0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1.1", "zipf:", "zipf:0", "zipf:-1", "zipf:9", "zipf:NaN"})
    void otherSkewsAreRefused(String typed) {
        assertThatThrownBy(() -> Keys.skew(typed)).hasMessageContaining("zipf:S with S above 0");
    }
}
