package dev.baton.lab.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.baton.lab.command.JvmOptions;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.function.LongFunction;
import java.util.function.LongToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTest {
    private static final int DRAWN = 100_000;

    private static int[] counts(Keys keys) {
        LongToIntFunction drawn = keys.drawing().apply(1);
        int[] counts = new int[keys.count()];
        for (int i = 0; i < DRAWN; i++) {
            counts[drawn.applyAsInt(i)]++;
        }
        return counts;
    }

    @Test
    void keysAreEquallyOftenByDefault() {
        assertThat(Arrays.stream(counts(new Keys(10, 0, 1)))).allMatch(count -> count > 9_500 && count < 10_500);
    }

    @Test
    void skewedKeysFollowZipf() {
        int[] counts = counts(new Keys(1_000, 1, 1));
        assertThat(counts[0] / (double) counts[1]).isBetween(1.9, 2.1);
        assertThat(counts[0] / (double) counts[9]).isBetween(9.0, 11.0);
    }

    @Test
    void instancesShareOneTable() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        LongFunction<LongToIntFunction> drawing = new Keys(100_000, 1, 1).drawing();
        int drawn = drawing.apply(0).applyAsInt(0);
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int instance = 1; instance < 100; instance++) {
            drawn += drawing.apply(instance).applyAsInt(instance);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100_000);
        assertThat(drawn).isPositive();
    }

    @Test
    void heapHasRoomForTheTable() {
        Shape shape = new Shape(5, 1, 0);
        assertThat(JvmOptions.enough(shape.keyed(new Keys(Keys.MOST, 0, 1)))).isEqualTo(JvmOptions.enough(shape));
        String heap = JvmOptions.enough(shape.keyed(new Keys(Keys.MOST, 1, 1)));
        assertThat(JvmOptions.bytes(heap) - (64 << 20)).isGreaterThan(2L * Keys.MOST * Double.BYTES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1.1", "zipf:", "zipf:0", "zipf:-1", "zipf:9", "zipf:NaN"})
    void otherSkewsAreRefused(String typed) {
        assertThatThrownBy(() -> Keys.skew(typed)).hasMessageContaining("zipf:S with S above 0");
    }
}
