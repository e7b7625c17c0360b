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
        writeWords(payload, PATTERN, Mix.of(seed ^ sentNanos, number));
    }

    /** Fills the rest of {@link #BYTES} bytes with words that count up from the first. */
    static void writeWords(Target payload, int from, long first) {
        long word = first;
        for (int index = from; index < BYTES; index += Long.BYTES) {
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
        return length == BYTES && hasWords(payload, PATTERN, Mix.of(seed ^ sentNanos(payload), number(payload)));
    }

    /** {@return whether the rest of the bytes is as {@link #writeWords} leaves it} */
    static boolean hasWords(IntToLongFunction payload, int from, long first) {
        long word = first;
        for (int index = from; index < BYTES; index += Long.BYTES) {
            if (payload.applyAsLong(index) != word++) {
                return false;
            }
        }
        return true;
    }
}
