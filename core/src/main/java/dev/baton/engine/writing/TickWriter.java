package dev.baton.engine.writing;

import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A writer in front of the topic of a service that holds inputs: each frame that a tick sends says how many outputs of its
 * <em>round</em> are stored with it. A round is a tick, or several of which all but the last found too little room for what was
 * due. After a restart as many outputs are dropped when the tick is given again. To the writer behind it the field is the
 * beginning of the payload. Confined to its loop.
 */
public final class TickWriter extends WriterInFront {
    /** What the field takes of the longest payload. */
    static final int BYTES = Extension.bytes(Extension.TICK_BYTES);

    private static final int INDEX = 8;
    private static final int COUNT = 12;
    private static final int WHOLE = 16;

    private final int least; // room that a tick needs, or there is too little
    private boolean inTick;
    private boolean isShort; // the tick has met too little room
    private long time; // of the tick, nanoseconds since 1970-01-01T00:00Z
    private int index; // of its next output
    private int count; // outputs of the round so far
    private int countBefore; // the tick
    private long whole; // time of the last tick of the last round, 0 for none
    private int added; // bytes that the field takes of the payload

    public TickWriter(TopicWriter writer, int maxOutputs) {
        super(writer);
        least = Math.max(1, maxOutputs);
        byte[] newest = writer.tickAtOpen();
        if (newest != null) {
            count = count(newest);
            whole = whole(newest);
        }
    }

    /** Outputs of its round up to a frame with this field. */
    public static int count(byte[] field) {
        return ByteBuffer.wrap(field).order(ByteOrder.LITTLE_ENDIAN).getInt(COUNT);
    }

    /** When everything was sent that was due before that round, 0 for never. */
    public static long whole(byte[] field) {
        return ByteBuffer.wrap(field).order(ByteOrder.LITTLE_ENDIAN).getLong(WHOLE);
    }

    /** A tick begins. */
    public void begin(long wallNanos) {
        inTick = true;
        isShort = false;
        time = wallNanos;
        index = 0;
        countBefore = count;
    }

    /** The tick has succeeded. */
    public void end() {
        inTick = false;
        if (!isShort) {
            count = 0;
            whole = time;
        }
    }

    /** The callback has thrown. */
    public void rollBack() {
        if (inTick) {
            inTick = false;
            count = countBefore;
        }
    }

    /** Whether outputs of a tick are sent and others of it may be due still. */
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
