package dev.baton.operations.replay;

import dev.baton.spi.Frame;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.TopicWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;

/**
 * The outputs of a replayed service: kept until they are flushed, then handed on for comparison. Nothing is stored, and the next batch uses
 * the memory again. Confined to the replay's thread.
 */
final class StagedOutputs implements TopicWriter {
    private static final int ROOM = 1 << 16;
    private static final int FIRST_BYTES = 1 << 16;

    private final Consumer<StagedOutputs> flushed;
    private final LongUnaryOperator causes;
    private final Frame claimed = new Frame();
    private ByteBuffer memory = buffer(FIRST_BYTES);
    private int[] starts = new int[256];
    private int[] lengths = new int[256];
    private int count; // of frames
    private int end; // of the last one, in the memory
    private long sequence;

    /**
     * Creates an empty batch.
     *
     * @param flushed takes the frames of each batch; valid only during the call
     */
    StagedOutputs(Consumer<StagedOutputs> flushed) {
        this(flushed, null);
    }

    /**
     * Creates an empty batch.
     *
     * @param causes returns the cause that a frame is to have, for the cause that the service's part wrote; null: the same
     */
    StagedOutputs(Consumer<StagedOutputs> flushed, LongUnaryOperator causes) {
        this.flushed = flushed;
        this.causes = causes;
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    int count() {
        return count;
    }

    /** Moves a view to one of the frames. */
    Frame view(Frame view, int index) {
        view.wrap(memory, starts[index], lengths[index]);
        if (!view.isPlain()) {
            view.validate();
        }
        return view;
    }

    /** Returns a copy of one of the frames. */
    Frame copy(int index) {
        int bytes = Frame.HEADER_BYTES + lengths[index];
        Frame copy = new Frame().wrap(buffer(bytes).put(0, memory, starts[index], bytes), 0, lengths[index]);
        copy.validate();
        return copy;
    }

    void clear() {
        count = 0;
        end = 0;
    }

    @Override
    public int remainingCapacity() {
        return ROOM;
    }

    @Override
    public int capacity() {
        return Integer.MAX_VALUE;
    }

    @Override
    public Frame claim(int maxLength) {
        int needed = end + Frame.HEADER_BYTES + maxLength;
        if (needed > memory.capacity()) {
            ByteBuffer larger = buffer(Math.max(needed, Math.multiplyExact(memory.capacity(), 2)));
            larger.put(0, memory, 0, end);
            memory = larger;
        }
        return claimed.wrap(memory, end, maxLength);
    }

    @Override
    public long commit(int length) {
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, count * 2);
            lengths = Arrays.copyOf(lengths, count * 2);
        }
        starts[count] = end;
        lengths[count] = length;
        end = end + Frame.HEADER_BYTES + lengths[count] + Long.BYTES - 1 & -Long.BYTES;
        count++;
        sequence++;
        claimed.sequence(sequence);
        if (causes != null) {
            claimed.stamp(
                    claimed.servicesPassed(),
                    claimed.type(),
                    causes.applyAsLong(claimed.cause()),
                    claimed.originNanos(),
                    claimed.sentNanos());
        }
        return sequence;
    }

    @Override
    public void abort() {}

    @Override
    public void flush() {
        flushed.accept(this);
    }

    @Override
    public void rewind(long to) {
        while (sequence > to) {
            sequence--;
            count--;
            end = starts[count];
        }
    }

    @Override
    public long sequence() {
        return sequence;
    }

    @Override
    public long storedSequence() {
        return sequence;
    }

    @Override
    public TopicEnd found() {
        return TopicEnd.EMPTY;
    }

    @Override
    public void close() {}
}
