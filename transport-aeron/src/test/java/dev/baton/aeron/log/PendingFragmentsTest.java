package dev.baton.aeron.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PendingFragmentsTest {
    private static final int STEPS = 100_000;
    private static final int MOST = 100; // so that the arrays grow

    private record Fragment(long last, long end) {}

    private final PendingFragments passed = new PendingFragments();
    private final ArrayDeque<Fragment> expected = new ArrayDeque<>();
    private final Random random = new Random(1);
    private long sequence;
    private long position;

    @Test
    void fragmentsAreRemovedBySequenceAndByPosition() {
        for (int step = 0; step < STEPS; step++) {
            if (expected.size() < MOST && random.nextInt(5) < 3) {
                sequence += 1 + random.nextInt(3);
                position += 32 * (1 + random.nextInt(3));
                passed.add(sequence, position);
                expected.add(new Fragment(sequence, position));
            } else if (random.nextBoolean()) {
                long to = sequence - random.nextInt(MOST);
                assertThat(passed.removeTo(to)).as("step %d", step).isEqualTo(removeTo(to));
            } else {
                long to = position - 32L * random.nextInt(MOST);
                assertThat(passed.removeUpTo(to)).as("step %d", step).isEqualTo(removeUpTo(to));
            }
        }
    }

    private long removeTo(long last) {
        long end = PendingFragments.NONE;
        while (!expected.isEmpty() && expected.peek().last <= last) {
            end = expected.remove().end;
        }
        return end;
    }

    private long removeUpTo(long end) {
        long last = PendingFragments.NONE;
        while (!expected.isEmpty() && expected.peek().end <= end) {
            last = expected.remove().last;
        }
        return last;
    }
}
