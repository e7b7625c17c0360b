package dev.baton.operations.service;

import dev.baton.Claim;
import java.util.function.IntToLongFunction;

/**
 * The output of {@link SummingService}: the last number of a group and its time, the first number, the sum and the count, and words that
 * are computed from these. Stateless, thread-safe.
 */
public final class SumOfNumbers {
    /** Inputs of a whole group. */
    public static final int INPUTS = 7;

    /** Bytes of the payload. */
    public static final int BYTES = 64;

    private static final int SENT = Long.BYTES;
    private static final int FIRST = 2 * Long.BYTES;
    private static final int SUM = 3 * Long.BYTES;
    private static final int COUNT = 4 * Long.BYTES;
    private static final int PATTERN = 5 * Long.BYTES;

    private SumOfNumbers() {}

    static void write(Claim payload, long last, long sentNanos, long first, long sum, int count) {
        payload.putLong(0, last);
        payload.putLong(SENT, sentNanos);
        payload.putLong(FIRST, first);
        payload.putLong(SUM, sum);
        payload.putLong(COUNT, count);
        long word = mixed(first ^ sentNanos, last ^ sum);
        for (int index = PATTERN; index < BYTES; index += Long.BYTES) {
            payload.putLong(index, word++);
        }
    }

    public static long first(IntToLongFunction payload) {
        return payload.applyAsLong(FIRST);
    }

    public static long sum(IntToLongFunction payload) {
        return payload.applyAsLong(SUM);
    }

    public static long count(IntToLongFunction payload) {
        return payload.applyAsLong(COUNT);
    }

    /** {@return whether every byte is as it was written} */
    public static boolean isWhole(IntToLongFunction payload, int length) {
        if (length != BYTES || count(payload) < 1 || count(payload) > INPUTS) {
            return false;
        }
        long word = mixed(first(payload) ^ payload.applyAsLong(SENT), payload.applyAsLong(0) ^ sum(payload));
        for (int index = PATTERN; index < BYTES; index += Long.BYTES) {
            if (payload.applyAsLong(index) != word++) {
                return false;
            }
        }
        return true;
    }

    /** {@return whether it is the sum of all numbers from the first to the last, each of them once} */
    public static boolean isOfAll(IntToLongFunction payload) {
        long count = payload.applyAsLong(0) - first(payload) + 1;
        return count(payload) == count && 2 * sum(payload) == (first(payload) + payload.applyAsLong(0)) * count;
    }

    /** Mixes two numbers: a change of either changes about half of the bits. */
    private static long mixed(long one, long other) {
        long mixed = (one * 0x9E3779B97F4A7C15L ^ other) * 0xBF58476D1CE4E5B9L;
        return mixed ^ (mixed >>> 31);
    }
}
