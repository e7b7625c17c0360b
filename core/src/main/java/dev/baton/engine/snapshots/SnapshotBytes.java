package dev.baton.engine.snapshots;

import dev.baton.state.SnapshotInput;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** The chunks of a snapshot, read as one. Each chunk may be collected once it is read. Single-threaded. */
public final class SnapshotBytes implements SnapshotInput {
    private final List<byte[]> chunks; // null after they are read
    private final ByteBuffer value = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private int chunk;
    private int at;
    private long remaining;

    /** Takes ownership of the list. */
    public SnapshotBytes(List<byte[]> chunks) {
        this.chunks = chunks;
        for (byte[] each : chunks) {
            remaining += each.length;
        }
    }

    @Override
    public long remaining() {
        return remaining;
    }

    @Override
    public byte getByte() {
        return next(Byte.BYTES).get(0);
    }

    @Override
    public int getInt() {
        return next(Integer.BYTES).getInt(0);
    }

    @Override
    public long getLong() {
        return next(Long.BYTES).getLong(0);
    }

    @Override
    public double getDouble() {
        return next(Double.BYTES).getDouble(0);
    }

    private ByteBuffer next(int count) {
        getBytes(value.array(), 0, count);
        return value;
    }

    @Override
    public void getBytes(byte[] target, int offset, int count) {
        if (count > remaining) {
            throw new BufferUnderflowException();
        }
        int copied = 0;
        while (copied < count) {
            byte[] source = chunks.get(chunk);
            int part = Math.min(count - copied, source.length - at);
            System.arraycopy(source, at, target, offset + copied, part);
            copied += part;
            at += part;
            if (at == source.length) {
                chunks.set(chunk++, null);
                at = 0;
            }
        }
        remaining -= count;
    }
}
