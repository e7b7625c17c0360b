package dev.baton.engine.writing;

import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The field of the frames that the ticks of a service that holds inputs send: the number of outputs of their <em>round</em>
 * up to this frame. A round is one tick, or several consecutive ticks of which all but the last had too little room for
 * their outputs. After a restart this number of outputs is dropped when the tick is repeated. Confined to its loop.
 */
public final class TickRound implements FrameField {
    private static final int BYTES = Extension.bytes(Extension.TICK_BYTES);
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

    /**
     * Continues the round of the newest frame.
     *
     * @param newest value of the field in that frame; null for none
     */
    TickRound(byte[] newest, int maxOutputs) {
        least = Math.max(1, maxOutputs);
        if (newest != null) {
            time = ByteBuffer.wrap(newest).order(ByteOrder.LITTLE_ENDIAN).getLong();
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

    /**
     * Forgets outputs of the round of the newest frame whose inputs are acknowledged: no repeated tick sends them.
     *
     * @param outputs number of these outputs, or more
     */
    public void forget(long outputs) {
        count = (int) Math.max(0, count - outputs);
        if (count == 0) {
            whole = time;
        }
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
    void rollBack() {
        if (inTick) {
            inTick = false;
            count = countBefore;
        }
    }

    /** Returns whether a tick has sent outputs and further outputs of it may still be due. */
    public boolean isOpen() {
        return count > 0;
    }

    /** Records the room that a tick may have seen; 0 if a claim was refused. */
    void sawRoom(int room) {
        isShort |= room < least;
    }

    @Override
    public int bytes() {
        return inTick ? BYTES : 0;
    }

    @Override
    public void add(Frame claim) {
        if (inTick) {
            int at = claim.addField(Extension.TICK, Extension.TICK_BYTES);
            int offset = claim.fieldOffset(at, Extension.TICK_BYTES);
            claim.memory()
                    .putLong(offset, time)
                    .putInt(offset + INDEX, index)
                    .putInt(offset + COUNT, count + 1)
                    .putLong(offset + WHOLE, whole);
        }
    }

    @Override
    public void complete(Frame frame) {
        if (inTick) {
            index++;
            count++;
        }
    }
}
