package dev.baton.lab.request;

import dev.baton.measuring.Mix;
import dev.baton.operations.settings.Range;
import dev.baton.partitions.Partitions;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.function.LongFunction;
import java.util.function.LongToIntFunction;

/**
 * The keys of messages. Immutable, thread-safe.
 *
 * @param count different keys
 * @param skew exponent of Zipf's law: key k is drawn with a probability proportional to {@code 1 / k^skew}; 0 if all are equally likely
 * @param partitions of each chain, over which the keys are distributed; 0 in older files, which means 1
 */
public record Keys(int count, double skew, int partitions) {
    public static final int MOST = 10_000_000;
    public static final double MOST_SKEW = 5;

    /** A receiver computes the partition of each message of its chain, also of those of the others. */
    public static final int MOST_PARTITIONS = 64;

    private static final String ZIPF = "zipf:";

    public Keys {
        Range.check("keys", count, 1, MOST);
        if (!(skew >= 0 && skew <= MOST_SKEW)) {
            throw new IllegalArgumentException("skew " + skew + " is out of range; 0 to " + MOST_SKEW);
        }
        partitions = partitions == 0 ? 1 : partitions;
        Range.check("partitions", partitions, 1, MOST_PARTITIONS);
    }

    /** Reads a skew, {@code zipf:1.1}. @throws IllegalArgumentException for other texts */
    public static double skew(String text) {
        try {
            double skew = text.startsWith(ZIPF) ? Double.parseDouble(text.substring(ZIPF.length())) : -1;
            if (skew > 0 && skew <= MOST_SKEW) {
                return skew;
            }
        } catch (NumberFormatException malformed) {
            // refused below, with the grammar
        }
        throw new IllegalArgumentException(
                "'" + text + "' is not known; zipf:S with S above 0, at most " + MOST_SKEW + ", such as zipf:1.1");
    }

    /**
     * {@return a function that makes, for the seed of an instance, a function that draws the key of each message, from 0} All of them share
     * one table, of {@link #tableBytes}.
     */
    public LongFunction<LongToIntFunction> drawing() {
        if (skew == 0) {
            return seed -> number -> (int) (Mix.uniform(seed, number) * count);
        }
        double[] upTo = new double[count];
        double sum = 0;
        for (int key = 0; key < count; key++) {
            sum += Math.pow(key + 1, -skew);
            upTo[key] = sum;
        }
        double all = sum;
        return seed -> number -> {
            int found = Arrays.binarySearch(upTo, Mix.uniform(seed, number) * all);
            return Math.min(count - 1, found < 0 ? -found - 1 : found);
        };
    }

    /** {@return a function that returns the partition of a key, for one thread} */
    public IntUnaryOperator partitioning() {
        Partitions all = Partitions.of(partitions);
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES);
        return key -> all.partitionOf(write(key, bytes));
    }

    /** Writes a key as messages have it. @return the bytes */
    public static ByteBuffer write(int key, ByteBuffer bytes) {
        return bytes.putInt(0, key);
    }

    /** {@return the memory of the table of {@link #drawing}} */
    public long tableBytes() {
        return skew == 0 ? 0 : (long) count * Double.BYTES;
    }

    @Override
    public String toString() {
        return count
                + (count == 1 ? " key" : " keys")
                + (skew == 0 ? "" : " (" + ZIPF + skew + ")")
                + (partitions == 1 ? "" : " over " + partitions + " partitions");
    }
}
