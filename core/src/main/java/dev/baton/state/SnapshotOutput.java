package dev.baton.state;

import dev.baton.StatefulService;

/**
 * The destination for the state of a {@link StatefulService}. Values are stored in the order in which they are put,
 * little-endian. Valid until {@link StatefulService#saveState} returns. Confined to the service's loop.
 */
public interface SnapshotOutput {
    /** The recommended maximum duration of one call of {@link StatefulService#saveState}, in nanoseconds: 200 microseconds. */
    long SLICE_NANOS = 200_000;

    /**
     * {@return whether this call may continue: its time has not passed, and the topic has room for the bytes that were put}
     * Reads the clock.
     */
    boolean hasTime();

    /**
     * Puts one byte.
     *
     * @param value all 8 bits
     * @return this output
     */
    SnapshotOutput putByte(byte value);

    /**
     * Puts a number in 4 bytes.
     *
     * @param value all 32 bits
     * @return this output
     */
    SnapshotOutput putInt(int value);

    /**
     * Puts a number in 8 bytes.
     *
     * @param value all 64 bits
     * @return this output
     */
    SnapshotOutput putLong(long value);

    /**
     * Puts a number in 8 bytes, as its IEEE 754 bits.
     *
     * @param value any value, including NaN
     * @return this output
     */
    SnapshotOutput putDouble(double value);

    /**
     * Puts a range of a byte array, without its length.
     *
     * @param source array of which the bytes are copied
     * @param offset offset of the first byte copied
     * @param count 0 or more
     * @return this output
     */
    SnapshotOutput putBytes(byte[] source, int offset, int count);

    /** {@return the number of bytes put so far, by all calls for this snapshot} */
    long size();
}
