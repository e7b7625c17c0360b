package dev.baton.lab.study.chaos;

import java.nio.ByteBuffer;

/**
 * One group of messages that the receiver was handed, as its journal keeps it. Immutable, thread-safe.
 *
 * @param first number of the group
 * @param number of the last message in it
 * @param sentNanos when the sender wrote that
 * @param atNanos when the receiver had it
 * @param scenario of the receiver: another after each start
 * @param isWhole whether every byte was as it had been written
 */
record Arrival(long first, long number, long sentNanos, long atNanos, long scenario, boolean isWhole) {
    /** Bytes of one in the journal. */
    static final int BYTES = 6 * Long.BYTES;

    void write(ByteBuffer target) {
        target.putLong(first)
                .putLong(number)
                .putLong(sentNanos)
                .putLong(atNanos)
                .putLong(scenario)
                .putLong(isWhole ? 1 : 0);
    }

    static Arrival read(ByteBuffer source) {
        return new Arrival(
                source.getLong(),
                source.getLong(),
                source.getLong(),
                source.getLong(),
                source.getLong(),
                source.getLong() == 1);
    }
}
