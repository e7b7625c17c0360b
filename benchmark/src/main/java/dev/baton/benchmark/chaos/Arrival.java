package dev.baton.benchmark.chaos;

import java.nio.ByteBuffer;

/**
 * One message that the receiver was handed, as its journal keeps it. Immutable, thread-safe.
 *
 * @param number of the message
 * @param sentNanos when the sender wrote it
 * @param atNanos when the receiver had it
 * @param life of the receiver: another after each start
 * @param isWhole whether every byte was as it had been written
 */
record Arrival(long number, long sentNanos, long atNanos, long life, boolean isWhole) {
    /** Bytes of one in the journal. */
    static final int BYTES = 5 * Long.BYTES;

    void write(ByteBuffer target) {
        target.putLong(number).putLong(sentNanos).putLong(atNanos).putLong(life).putLong(isWhole ? 1 : 0);
    }

    static Arrival read(ByteBuffer source) {
        return new Arrival(
                source.getLong(), source.getLong(), source.getLong(), source.getLong(), source.getLong() == 1);
    }
}
