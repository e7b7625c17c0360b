package dev.baton.lab.study.chaos.audit;

import dev.baton.Claim;
import dev.baton.measuring.Mix;
import java.util.function.IntToLongFunction;

/**
 * The output of {@link SummingService}: the last number of a group and its time, the first number, the sum and the count, and words that
 * are computed from these. Stateless, thread-safe.
 */
public final class SumOfNumbers {
    /** Inputs of a whole group. */
    public static final int INPUTS = 7;

    public static final int BYTES = NumberedMessage.BYTES;

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
        NumberedMessage.writeWords(payload::putLong, PATTERN, Mix.of(first ^ sentNanos, last ^ sum));
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
        return length == BYTES
                && count(payload) >= 1
                && count(payload) <= INPUTS
                && NumberedMessage.hasWords(
                        payload,
                        PATTERN,
                        Mix.of(first(payload) ^ payload.applyAsLong(SENT), payload.applyAsLong(0) ^ sum(payload)));
    }

    /** {@return whether it is the sum of all numbers from the first to the last, each of them once} */
    public static boolean isOfAll(IntToLongFunction payload) {
        long count = payload.applyAsLong(0) - first(payload) + 1;
        return count(payload) == count && 2 * sum(payload) == (first(payload) + payload.applyAsLong(0)) * count;
    }
}
