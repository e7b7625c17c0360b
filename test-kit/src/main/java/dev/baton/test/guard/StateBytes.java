package dev.baton.test.guard;

import dev.baton.StatefulService;
import dev.baton.state.SnapshotOutput;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The saved state of a service, for comparisons before and after a callback. Single-threaded. */
final class StateBytes implements SnapshotOutput {
    private static final int MAX_CALLS = 1_000_000;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private StateBytes() {}

    /** Has the service save its state. */
    static byte[] of(StatefulService service) throws Exception {
        StateBytes state = new StateBytes();
        for (int calls = 0; !service.saveState(state); calls++) {
            if (calls == MAX_CALLS) {
                throw new IllegalStateException("saveState has not returned true after " + MAX_CALLS + " calls");
            }
        }
        return state.bytes.toByteArray();
    }

    @Override
    public boolean hasTime() {
        return true;
    }

    @Override
    public SnapshotOutput putByte(byte value) {
        bytes.write(value);
        return this;
    }

    @Override
    public SnapshotOutput putInt(int value) {
        return putAll(buffer().putInt(value));
    }

    @Override
    public SnapshotOutput putLong(long value) {
        return putAll(buffer().putLong(value));
    }

    @Override
    public SnapshotOutput putDouble(double value) {
        return putAll(buffer().putDouble(value));
    }

    private static ByteBuffer buffer() {
        return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    private SnapshotOutput putAll(ByteBuffer filled) {
        return putBytes(filled.array(), 0, filled.position());
    }

    @Override
    public SnapshotOutput putBytes(byte[] source, int offset, int count) {
        bytes.write(source, offset, count);
        return this;
    }

    @Override
    public long size() {
        return bytes.size();
    }
}
