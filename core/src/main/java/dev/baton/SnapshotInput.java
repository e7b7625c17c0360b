package dev.baton;

/**
 * The state that a {@link StatefulService} saved, read in the order in which it was put. A read beyond the end throws {@link
 * java.nio.BufferUnderflowException}. Confined to the service's loop; valid until {@link StatefulService#restoreState}
 * returns.
 */
public interface SnapshotInput {
    /** Bytes not read yet. */
    long remaining();

    byte getByte();

    int getInt();

    long getLong();

    double getDouble();

    void getBytes(byte[] target, int offset, int count);
}
