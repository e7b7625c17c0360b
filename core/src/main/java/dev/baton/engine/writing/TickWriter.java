package dev.baton.engine.writing;

import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A writer in front of the topic of a service that holds inputs: each frame that a tick sends contains the number of
 * outputs of its <em>round</em> up to this frame. A round is one tick, or several consecutive ticks of which all but the
 * last had too little room for their outputs. After a restart this number of outputs is dropped when the tick is repeated.
 * For the next writer the field is the beginning of the payload. Confined to its loop.
 */
public final class TickWriter extends WriterInFront {
    /** The bytes of the field, which reduce the longest payload. */
    static final int BYTES = Extension.bytes(Extension.TICK_BYTES);

    private static final int INDEX = 8;
    private static final int COUNT = 12;
    private static final int WHOLE = 16;

    private final int least; // minimum room of a tick
    private boolean inTick;
    private boolean isShort; // the tick had too little room
    private long time; // time of the tick, nanoseconds since 1970-01-01T00:00Z
    private int index; // index of its next output
    private int count; // number of outputs of the round so far
    private int countBefore; // number of outputs of the round before the tick
    private long whole; // time of the last tick of the last round, 0 for none
    private int added; // bytes of the field in the payload

    public TickWriter(TopicWriter writer, int maxOutputs) {
        super(writer);
        least = Math.max(1, maxOutputs);
        byte[] newest = writer.found().field(Extension.TICK);
        if (newest != null) {
            count = count(newest);
            whole = whole(newest);
        }
    }

    /** Returns the number of outputs of the round up to the frame with this field. */
    public static int count(byte[] field) {
        return ByteBuffer.wrap(field).order(ByteOrder.LITTLE_ENDIAN).getInt(COUNT);
    }

    /** Returns the time of the last tick of the previous round, 0 for none. */
    public static long whole(byte[] field) {
        return ByteBuffer.wrap(field).order(ByteOrder.LITTLE_ENDIAN).getLong(WHOLE);
    }

    /** Begins a tick. */
    public void begin(long wallNanos) {
        inTick = true;
        isShort = false;
        time = wallNanos;
        index = 0;
        countBefore = count;
    }

    /** Ends a tick that has succeeded. */
    public void end() {
        inTick = false;
        if (!isShort) {
            count = 0;
            whole = time;
        }
    }

    /** Restores the state at the beginning of a callback that has thrown. */
    public void rollBack() {
        if (inTick) {
            inTick = false;
            count = countBefore;
        }
    }

    /** Returns whether a tick has sent outputs and further outputs of it may still be due. */
    public boolean isRoundOpen() {
        return count > 0;
    }

    @Override
    public int remainingCapacity() {
        return noted(writer.remainingCapacity());
    }

    @Override
    public int remainingCapacity(int maxLength) {
        return noted(writer.remainingCapacity(Math.addExact(maxLength, BYTES)));
    }

    private int noted(int room) {
        isShort |= room < least;
        return room;
    }

    @Override
    public Frame claim(int maxLength) {
        added = 0;
        if (!inTick) {
            return writer.claim(maxLength);
        }
        Frame frame = writer.claim(Math.addExact(maxLength, BYTES));
        if (frame == null) {
            isShort = true;
            return null;
        }
        int before = frame.extensionBytes();
        int at = frame.addField(Extension.TICK, Extension.TICK_BYTES);
        added = frame.extensionBytes() - before;
        int offset = frame.fieldOffset(at, Extension.TICK_BYTES);
        frame.memory()
                .putLong(offset, time)
                .putInt(offset + INDEX, index)
                .putInt(offset + COUNT, count + 1)
                .putLong(offset + WHOLE, whole);
        return frame;
    }

    @Override
    public long commit(int length) {
        if (inTick) {
            index++;
            count++;
        }
        return writer.commit(length + added);
    }
}
