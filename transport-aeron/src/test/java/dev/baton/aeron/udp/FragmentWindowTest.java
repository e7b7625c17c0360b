package dev.baton.aeron.udp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ring of a topic's newest fragments, with random lengths and acknowledgements. */
class FragmentWindowTest {
    private static final int SIZE = 16 << 10;
    private static final int LONGEST = 1024;
    private static final int STEPS = 20_000;

    private record Fragment(long first, long last, byte[] bytes) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void fragmentsThatAreHeldAreSentAgainUnchanged(long seed) {
        Random random = new Random(seed);
        FragmentWindow window = new FragmentWindow(SIZE, LONGEST);
        List<Fragment> all = new ArrayList<>();
        long newest = 0;
        long acknowledged = 0;
        for (int step = 0; step < STEPS; step++) {
            int length = Long.BYTES * (7 + random.nextInt(LONGEST / Long.BYTES - 6));
            if (length <= window.room(acknowledged)) {
                byte[] bytes = new byte[length];
                random.nextBytes(bytes);
                long last = newest + 1 + random.nextInt(3);
                window.add(ByteBuffer.wrap(bytes), 0, length, newest + 1, last, 1);
                all.add(new Fragment(newest + 1, last, bytes));
                newest = last;
            } else {
                acknowledged += random.nextLong(newest - acknowledged) + 1;
            }
            if (step % 16 == 0) {
                assertThat(window.oldestLeft()).isLessThanOrEqualTo(acknowledged + 1);
                assertThat(window.oldest()).isLessThanOrEqualTo(acknowledged + 1);
                assertThat(window.newest()).isEqualTo(newest);
                assertSends(window, all, acknowledged);
            }
        }
    }

    /** Otherwise one reader that never receives would keep new frames from all others. */
    @Test
    void goingBackWaitsForTheOneBefore() {
        FragmentWindow window = new FragmentWindow(SIZE, LONGEST);
        for (int sequence = 1; sequence <= 4; sequence++) {
            window.add(ByteBuffer.allocate(LONGEST), 0, LONGEST, sequence, sequence, sequence);
        }
        while (window.hasUnsent()) {
            window.sent();
        }
        window.goBack(2);
        window.sent();
        window.goBack(2);
        assertThat(window.writer()).isEqualTo(3);
        window.goBack(1);
        assertThat(window.writer()).isEqualTo(1);
        while (window.hasUnsent()) {
            window.sent();
        }
        window.goBack(2);
        assertThat(window.writer()).isEqualTo(2);
    }

    /** Sends everything behind a sequence again. */
    private static void assertSends(FragmentWindow window, List<Fragment> all, long acknowledged) {
        while (window.hasUnsent()) {
            window.sent();
        }
        window.goBack(acknowledged + 1);
        int next = all.size();
        while (next > 0 && all.get(next - 1).last() > acknowledged) {
            next--;
        }
        while (window.hasUnsent()) {
            byte[] sent = new byte[window.length()];
            window.memory().get(window.offset(), sent);
            assertThat(sent).isEqualTo(all.get(next++).bytes());
            window.sent();
        }
        assertThat(next).isEqualTo(all.size());
    }
}
