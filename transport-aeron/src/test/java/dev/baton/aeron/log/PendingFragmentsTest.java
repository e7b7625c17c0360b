package dev.baton.aeron.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PendingFragmentsTest {
    private static final int STEPS = 100_000;
    private static final int MOST = 100;
    private static final int MANY = 10_000;

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

    @Test
    void manyFragmentsAreRemovedInSmallSteps() {
        for (int round = 0; round < 3; round++) {
            long before = position;
            addMany();
            long removed = before;
            for (long to = before / 32 + 1; to < position / 32; to++) {
                long end = passed.removeTo(to);
                removed = end == PendingFragments.NONE ? removed : end;
                assertThat(removed / 32).as("round %d", round).isBetween(to - 2 * MANY / PendingFragments.MOST, to);
            }
            assertThat(passed.removeUpTo(position)).as("all of them").isEqualTo(sequence);
            assertThat(passed.removeUpTo(position)).as("none").isEqualTo(PendingFragments.NONE);
        }
    }

    @Test
    void manyFragmentsAllocateNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        threads.getCurrentThreadAllocatedBytes();
        addMany();
        passed.removeTo(sequence);
        long before = threads.getCurrentThreadAllocatedBytes();
        addMany();
        passed.removeUpTo(position - 1);
        addMany();
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isZero();
    }

    private void addMany() {
        for (int i = 0; i < MANY; i++) {
            sequence++;
            position += 32;
            passed.add(sequence, position);
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
