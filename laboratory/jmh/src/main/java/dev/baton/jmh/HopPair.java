package dev.baton.jmh;

import java.util.Map;
import java.util.function.Supplier;
import org.apache.commons.math3.stat.StatUtils;

/**
 * One JVM of {@link HopRatios}: a hop through Baton, through the library's own calls and through a hand-written loop that batches like
 * Baton, in alternating blocks, so that disturbances of the host affect all of them.
 *
 * <p>The unit is CPU time of this thread, which does not grow while the thread waits for a core. Arguments: a key of {@link #HOPS}, and
 * messages per batch. Prints picoseconds per message, Baton's, the library's and the loop's: the median of the blocks.
 */
final class HopPair {
    static final Map<String, Supplier<TopicHop>> HOPS = Map.of(
            "disruptor",
            DisruptorHop::new,
            "disruptor chain",
            DisruptorChain::new,
            "chronicle",
            ChronicleHop::new,
            "aeron",
            AeronHop::new,
            "aeron shared",
            () -> new AeronHop(true));

    private static final int PAYLOAD_BYTES = 32;
    private static final long BLOCK_NANOS = 10_000_000;

    /** Invocations between two readings of the clock, which take about as long as 50 of the fastest messages. */
    private static final int INVOCATIONS = 500;

    private static final int WARMUP_BLOCKS = 60;
    private static final int BLOCKS = 40;
    private static final double PICOS = 1_000;

    private final TopicHop hop;
    private long total; // of what was read, so that reading it is not compiled away

    private HopPair(TopicHop hop) {
        this.hop = hop;
    }

    public static void main(String[] arguments) throws Exception {
        TopicHop hop = HOPS.get(arguments[0]).get();
        hop.batch = Integer.parseInt(arguments[1]);
        hop.payload = PAYLOAD_BYTES;
        hop.open();
        try {
            new HopPair(hop).measure();
        } finally {
            hop.close();
        }
    }

    private void measure() throws Exception {
        double[] baton = new double[BLOCKS];
        double[] reference = new double[BLOCKS];
        double[] cooperative = new double[BLOCKS];
        for (int block = -WARMUP_BLOCKS; block < BLOCKS; block++) {
            double one = batonBlock();
            double other = referenceBlock();
            double third = cooperativeBlock();
            if (block >= 0) {
                baton[block] = one;
                reference[block] = other;
                cooperative[block] = third;
            }
        }
        System.err.println(total);
        System.out.println(median(baton) + " " + median(reference) + " " + median(cooperative));
    }

    /** Returns nanoseconds per message of one block through Baton. */
    private double batonBlock() {
        long begin = Fork.cpuNanos();
        long messages = 0;
        long used;
        do {
            for (int i = 0; i < INVOCATIONS; i++) {
                total += hop.baton();
            }
            messages += INVOCATIONS * TopicHop.MESSAGES;
            used = Fork.cpuNanos() - begin;
        } while (used < BLOCK_NANOS);
        return (double) used / messages;
    }

    /**
     * Returns nanoseconds per message of one block through the library. It is a separate method, so that neither loop is compiled for both
     * calls.
     */
    private double referenceBlock() throws Exception {
        long begin = Fork.cpuNanos();
        long messages = 0;
        long used;
        do {
            for (int i = 0; i < INVOCATIONS; i++) {
                total += hop.reference();
            }
            messages += INVOCATIONS * TopicHop.MESSAGES;
            used = Fork.cpuNanos() - begin;
        } while (used < BLOCK_NANOS);
        return (double) used / messages;
    }

    /** Returns nanoseconds per message of one block through the hand-written loop. */
    private double cooperativeBlock() throws Exception {
        long begin = Fork.cpuNanos();
        long messages = 0;
        long used;
        do {
            for (int i = 0; i < INVOCATIONS; i++) {
                total += hop.cooperative();
            }
            messages += INVOCATIONS * TopicHop.MESSAGES;
            used = Fork.cpuNanos() - begin;
        } while (used < BLOCK_NANOS);
        return (double) used / messages;
    }

    private static long median(double[] nanos) {
        return Math.round(PICOS * StatUtils.percentile(nanos, 50));
    }
}
