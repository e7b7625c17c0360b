package dev.baton.tck.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.IntConsumer;

/**
 * A meter of the calling thread's allocation during many short rounds of messages.
 *
 * <p>Allocation per message shows in every round, so the best round must be clean. Occasional allocation, such as the objects around a
 * newly mapped block of a file, spoils some rounds; on average it must stay small.
 *
 * <p>On a busy machine the JIT compiler may not have compiled the code when the warm-up ends. So rounds that allocated are measured again,
 * {@value #ATTEMPTS} times in all, after a longer warm-up: compiled code that allocates does so in each of them, while a stall of the machine,
 * after which a reader of an Archive begins a replay, does not. Single-threaded.
 */
public final class AllocationMeter {
    private static final int WARM_UP_MESSAGES = 20_000;
    private static final int ROUND_MESSAGES = 200;
    private static final int ROUNDS = 100;
    private static final int ATTEMPTS = 8;
    private static final int LONGEST_WARM_UP = 3; // times the first one

    /** The most bytes in the best round: less than one small object. */
    private static final long MOST_BYTES_IN_BEST_ROUND = 8;

    /** The most bytes per hop on average: files mapped in blocks of 64 KiB cost 0.7 bytes per message of 8 bytes. */
    private static final long MOST_BYTES_PER_HOP_ON_AVERAGE = 1;

    private AllocationMeter() {}

    /**
     * Fails if messages allocate once the code is warm.
     *
     * @param carry takes so many messages all the way, on this thread
     * @param hops topics that a message crosses
     */
    public static void assertNothingAllocated(IntConsumer carry, int hops) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        assumeTrue(threads.isThreadAllocatedMemorySupported() && threads.isThreadAllocatedMemoryEnabled());
        Rounds rounds = measured(carry, WARM_UP_MESSAGES, threads);
        for (int attempt = 2; attempt <= ATTEMPTS && !rounds.areClean(hops); attempt++) {
            rounds = measured(carry, Math.min(attempt, LONGEST_WARM_UP) * WARM_UP_MESSAGES, threads);
        }
        assertThat(rounds.least)
                .as("bytes allocated for %d messages in the best of %d rounds", ROUND_MESSAGES, ROUNDS)
                .isLessThanOrEqualTo(MOST_BYTES_IN_BEST_ROUND);
        assertThat(rounds.all)
                .as("bytes allocated for %d messages over %d hops", ROUNDS * ROUND_MESSAGES, hops)
                .isLessThanOrEqualTo(mostBytes(hops));
    }

    private static Rounds measured(IntConsumer carry, int warmUpMessages, ThreadMXBean threads) {
        carry.accept(warmUpMessages);
        long least = Long.MAX_VALUE;
        long all = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            carry.accept(ROUND_MESSAGES);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            least = Math.min(least, allocated);
            all += allocated;
        }
        return new Rounds(least, all);
    }

    private static long mostBytes(int hops) {
        return ROUNDS * ROUND_MESSAGES * hops * MOST_BYTES_PER_HOP_ON_AVERAGE;
    }

    /** The bytes allocated in the best round, and in all of them. */
    private record Rounds(long least, long all) {
        boolean areClean(int hops) {
            return least <= MOST_BYTES_IN_BEST_ROUND && all <= mostBytes(hops);
        }
    }
}
