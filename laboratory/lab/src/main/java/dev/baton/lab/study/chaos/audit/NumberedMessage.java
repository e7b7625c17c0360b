package dev.baton.lab.study.chaos.audit;

import dev.baton.measuring.Mix;
import java.util.function.IntToLongFunction;

/**
 * The payload that goes through the chain: its number, when it was sent, and words that follow from both and from the
 * seed, so that a message that was altered, cut or mixed up with another is seen. Stateless, thread-safe.
 */
public final class NumberedMessage {
    public static final int BYTES = 64;

    private static final int SENT = Long.BYTES;
    private static final int PATTERN = 2 * Long.BYTES;

    private NumberedMessage() {}

    @FunctionalInterface
    public interface Target {
        void put(int index, long word);
    }

    /** Fills {@link #BYTES} bytes. */
    public static void write(Target payload, long number, long sentNanos, long seed) {
        payload.put(0, number);
        payload.put(SENT, sentNanos);
        long word = Mix.of(seed ^ sentNanos, number);
        for (int index = PATTERN; index < BYTES; index += Long.BYTES) {
            payload.put(index, word++);
        }
    }

    public static long number(IntToLongFunction payload) {
        return payload.applyAsLong(0);
    }

    /** {@link System#nanoTime} of this machine when the sender wrote it. */
    public static long sentNanos(IntToLongFunction payload) {
        return payload.applyAsLong(SENT);
    }

    /** {@return whether every byte is as it was written} */
    public static boolean isWhole(IntToLongFunction payload, int length, long seed) {
        if (length != BYTES) {
            return false;
        }
        long word = Mix.of(seed ^ sentNanos(payload), number(payload));
        for (int index = PATTERN; index < BYTES; index += Long.BYTES) {
            if (payload.applyAsLong(index) != word++) {
                return false;
            }
        }
        return true;
    }
}
