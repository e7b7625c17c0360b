package dev.baton.engine.writing;

import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A topic's writer that drops frames because they are already stored: all frames, or a given number of them. It passes
 * later frames to the next writer. Confined to its thread.
 */
public final class DroppingWriter extends WriterInFront {
    /** The number that stands for all frames. */
    static final long ALL = Long.MAX_VALUE;

    private final Frame frame = new Frame();
    private long left = ALL; // number of frames to drop
    private long leftBefore = ALL; // value at the beginning of the callback
    private boolean isDropping; // whether the open claim is to be dropped
    private boolean isTick;

    public DroppingWriter(TopicWriter writer) {
        super(writer);
    }

    /** Sets the number of frames to drop. */
    public void drop(long frames) {
        left = frames;
        leftBefore = frames;
    }

    /** Returns the number of frames that are still to be dropped, {@link #ALL} for all. */
    public long left() {
        return left;
    }

    /** Begins a callback. In a tick there is only room for the frames that are to be dropped. */
    public void begin(boolean ofTick) {
        leftBefore = left;
        isTick = ofTick;
    }

    /** Restores the state at the beginning of a callback that has thrown. */
    public void rollBack() {
        left = leftBefore;
    }

    @Override
    public int remainingCapacity() {
        return withLeft(writer.remainingCapacity());
    }

    @Override
    public int remainingCapacity(int maxLength) {
        return withLeft(writer.remainingCapacity(maxLength));
    }

    private int withLeft(int room) {
        if (left == ALL) {
            return room;
        }
        return (int) Math.min(Integer.MAX_VALUE, isTick ? left : left + room);
    }

    @Override
    public Frame claim(int maxLength) {
        isDropping = left > 0;
        if (!isDropping) {
            return isTick ? null : writer.claim(maxLength);
        }
        ByteBuffer memory = ByteBuffer.allocate(Frame.HEADER_BYTES + maxLength).order(ByteOrder.LITTLE_ENDIAN);
        return frame.wrap(memory, 0, maxLength);
    }

    @Override
    public long commit(int length) {
        if (!isDropping) {
            return writer.commit(length);
        }
        if (left != ALL) {
            left--;
        }
        return writer.sequence();
    }

    @Override
    public void abort() {
        if (!isDropping) {
            writer.abort();
        }
    }
}
