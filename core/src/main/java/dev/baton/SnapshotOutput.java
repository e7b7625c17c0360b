package dev.baton;

/**
 * Takes the state of a {@link StatefulService}. Values are stored in the order in which they are put, little endian.
 * Confined to the service's loop; valid until {@link StatefulService#saveState} returns.
 */
public interface SnapshotOutput {
    /** How long one call of {@link StatefulService#saveState} should take, in nanoseconds: 200 microseconds. */
    long SLICE_NANOS = 200_000;

    /** Whether this call may go on: its time is not over, and what was put is not more than the topic takes up. Reads the clock. */
    boolean hasTime();

    SnapshotOutput putByte(byte value);

    SnapshotOutput putInt(int value);

    SnapshotOutput putLong(long value);

    SnapshotOutput putDouble(double value);

    SnapshotOutput putBytes(byte[] source, int offset, int count);

    /** Bytes put so far, by all calls for this snapshot. */
    long size();
}
