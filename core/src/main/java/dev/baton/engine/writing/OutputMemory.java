package dev.baton.engine.writing;

import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.TopicWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A writer that keeps the outputs of one call in memory until they are written to their topic. The memory grows with the
 * largest call. Used by one thread at a time.
 */
public class OutputMemory implements TopicWriter {
    private static final int FIRST_BYTES = 256;
    private static final int FIRST_FRAMES = 4;

    private final Incarnation incarnation;
    private final int maxPayload;
    private final Frame frame = new Frame();
    private ByteBuffer memory = ByteBuffer.allocate(FIRST_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private int[] begins = new int[FIRST_FRAMES]; // of the frames, and of the next one
    private int frames;
    private boolean isClaimed;

    /**
     * Creates an empty memory.
     *
     * @param incarnation incarnation of the topic's writer; null for none
     * @param maxPayload longest payload of that topic
     */
    public OutputMemory(Incarnation incarnation, int maxPayload) {
        this.incarnation = incarnation;
        this.maxPayload = maxPayload;
    }

    /** Returns the frame with an index, 0 to one less than {@link #sequence}; valid until the next call of this method. */
    public Frame frame(int index) {
        frame.wrap(memory, begins[index], begins[index + 1] - begins[index] - Frame.HEADER_BYTES);
        if (!frame.isPlain()) {
            frame.validate();
        }
        return frame;
    }

    @Override
    public int remainingCapacity() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int capacity() {
        return Integer.MAX_VALUE;
    }

    @Override
    public Frame claim(int maxLength) {
        if (isClaimed) {
            throw new IllegalStateException("commit or abort the open claim first");
        }
        if (maxLength < 0 || maxLength > maxPayload) {
            throw new IllegalArgumentException(
                    "claim of " + maxLength + " bytes; 0 to " + maxPayload + " are allowed on this topic");
        }
        int required = begins[frames] + Frame.HEADER_BYTES + maxLength;
        if (required > memory.capacity()) {
            memory = ByteBuffer.wrap(Arrays.copyOf(memory.array(), Math.max(required, 2 * memory.capacity())))
                    .order(ByteOrder.LITTLE_ENDIAN);
        }
        isClaimed = true;
        return frame.wrap(memory, begins[frames], maxLength);
    }

    @Override
    public long commit(int length) {
        isClaimed = false;
        if (++frames == begins.length) {
            begins = Arrays.copyOf(begins, 2 * frames);
        }
        begins[frames] = begins[frames - 1] + Frame.HEADER_BYTES + length;
        return frames;
    }

    @Override
    public void abort() {
        isClaimed = false;
    }

    @Override
    public void flush() {}

    @Override
    public void rewind(long sequence) {
        isClaimed = false;
        frames = (int) sequence;
    }

    @Override
    public long sequence() {
        return frames;
    }

    @Override
    public long storedSequence() {
        return 0;
    }

    @Override
    public TopicEnd found() {
        return TopicEnd.EMPTY;
    }

    @Override
    public Incarnation incarnation() {
        return incarnation;
    }

    @Override
    public void close() {}
}
