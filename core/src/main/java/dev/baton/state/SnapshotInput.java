package dev.baton.state;

import dev.baton.StatefulService;

/**
 * The state that a {@link StatefulService} saved. It is read in the order in which it was written. A read beyond the end throws
 * {@link java.nio.BufferUnderflowException}. Valid until {@link StatefulService#restoreState} returns. Confined to the
 * service's loop.
 */
public interface SnapshotInput {
    /** {@return the number of bytes not read yet} */
    long remaining();

    /** {@return the next byte} */
    byte getByte();

    /** {@return the number in the next 4 bytes} */
    int getInt();

    /** {@return the number in the next 8 bytes} */
    long getLong();

    /** {@return the number whose IEEE 754 bits are the next 8 bytes} */
    double getDouble();

    /**
     * Copies the next bytes.
     *
     * @param target target, which has room for {@code count} bytes from {@code offset} on
     * @param offset offset of the first byte written
     * @param count 0 to {@link #remaining}
     */
    void getBytes(byte[] target, int offset, int count);
}
