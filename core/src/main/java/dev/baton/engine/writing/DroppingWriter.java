package dev.baton.engine.writing;

import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A topic's writer that drops frames because they are stored already: all of them, or as many as are. What comes behind
 * those it passes on. Confined to its thread.
 */
public final class DroppingWriter extends WriterInFront {
    /** In place of a number: all frames are stored. */
    static final long ALL = Long.MAX_VALUE;

    private final Frame frame = new Frame();
    private long left = ALL; // frames to drop
    private long leftBefore = ALL; // at the beginning of the callback
    private boolean isDropping; // the open claim
    private boolean isTick;

    public DroppingWriter(TopicWriter writer) {
        super(writer);
    }

    /** Drops so many frames. */
    public void drop(long frames) {
        left = frames;
        leftBefore = frames;
    }

    /** Frames that are still to be dropped, {@link #ALL} for all. */
    public long left() {
        return left;
    }

    /** A callback begins; in a tick there is no room for more than is to be dropped. */
    public void begin(boolean ofTick) {
        leftBefore = left;
        isTick = ofTick;
    }

    /** The callback has thrown. */
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
