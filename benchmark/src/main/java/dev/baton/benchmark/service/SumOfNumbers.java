package dev.baton.benchmark.service;

import dev.baton.benchmark.measure.Mix;
import java.util.function.IntToLongFunction;

/**
 * What {@link SummingService} sends: the last number of a group and when that was sent, the first one, the sum of all,
 * and words that follow from these. Stateless, thread-safe.
 */
public final class SumOfNumbers {
    /** Inputs of a whole group. */
    public static final int INPUTS = 7;

    /** Bytes of the payload. */
    public static final int BYTES = 64;

    private static final int SENT = Long.BYTES;
    private static final int FIRST = 2 * Long.BYTES;
    private static final int SUM = 3 * Long.BYTES;
    private static final int PATTERN = 4 * Long.BYTES;

    private SumOfNumbers() {}

    /** Takes a word of a payload. */
    @FunctionalInterface
    public interface Target {
        /** Writes it at this index, in bytes. */
        void put(int index, long word);
    }

    static void write(Target payload, long last, long sentNanos, long first, long sum) {
        payload.put(0, last);
        payload.put(SENT, sentNanos);
        payload.put(FIRST, first);
        payload.put(SUM, sum);
        long word = Mix.of(first ^ sentNanos, last);
        for (int index = PATTERN; index < BYTES; index += Long.BYTES) {
            payload.put(index, word++);
        }
    }

    /** The first number of the group. */
    public static long first(IntToLongFunction payload) {
        return payload.applyAsLong(FIRST);
    }

    /** Whether every byte is as it was written, and the sum that of all numbers from the first to the last. */
    public static boolean isWhole(IntToLongFunction payload, int length) {
        if (length != BYTES) {
            return false;
        }
        long last = payload.applyAsLong(0);
        long first = first(payload);
        long word = Mix.of(first ^ payload.applyAsLong(SENT), last);
        for (int index = PATTERN; index < BYTES; index += Long.BYTES) {
            if (payload.applyAsLong(index) != word++) {
                return false;
            }
        }
        long numbers = last - first + 1;
        return numbers >= 1 && numbers <= INPUTS && payload.applyAsLong(SUM) == (first + last) * numbers / 2;
    }
}
