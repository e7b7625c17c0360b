package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.IntConsumer;

/**
 * Reads the calling thread's own allocation counter around many short rounds of messages.
 *
 * <p>What is allocated for a message shows in every round, so the best round must be clean. What comes once in a while,
 * such as the objects around a newly mapped block of a file, spoils some rounds; on average it must stay small.
 * Single-threaded.
 */
final class AllocationMeter {
    private static final int WARM_UP_MESSAGES = 60_000;
    private static final int ROUND_MESSAGES = 200;
    private static final int ROUNDS = 250;

    /** Less than one small object per round. */
    private static final long MOST_BYTES_IN_BEST_ROUND = 8;

    /** Files mapped in blocks of 64 KiB cost 0.7 bytes per message of 8 bytes. */
    private static final long MOST_BYTES_PER_HOP_ON_AVERAGE = 1;

    private AllocationMeter() {}

    /**
     * Fails when messages cost memory once the code is warm.
     *
     * @param carry takes so many messages all the way, on this thread
     * @param hops topics that a message crosses
     */
    static void assertNothingAllocated(IntConsumer carry, int hops) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        assumeTrue(threads.isThreadAllocatedMemorySupported() && threads.isThreadAllocatedMemoryEnabled());
        carry.accept(WARM_UP_MESSAGES);

        long least = Long.MAX_VALUE;
        long all = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            carry.accept(ROUND_MESSAGES);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            least = Math.min(least, allocated);
            all += allocated;
        }
        assertThat(least)
                .as("bytes allocated for %d messages in the best of %d rounds", ROUND_MESSAGES, ROUNDS)
                .isLessThanOrEqualTo(MOST_BYTES_IN_BEST_ROUND);
        assertThat(all)
                .as("bytes allocated for %d messages over %d hops", ROUNDS * ROUND_MESSAGES, hops)
                .isLessThanOrEqualTo((long) ROUNDS * ROUND_MESSAGES * hops * MOST_BYTES_PER_HOP_ON_AVERAGE);
    }
}
