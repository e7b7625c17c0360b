package dev.baton.aeron.log;

import dev.baton.spi.Frame;
import io.aeron.ExclusivePublication;
import io.aeron.protocol.DataHeaderFlyweight;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The frames that are committed and not flushed yet, as a fragment holds them, and the open claim behind them: an abort and a rewind
 * leave nothing in the log. Grows up to the capacity of a topic. Confined to the writer's thread.
 */
public final class StagedBatch {
    private static final int NONE = -1;

    private static final int FIRST_CAPACITY = 4 << 10;

    private final Frame frame = new Frame();
    private ByteBuffer memory = allocate(FIRST_CAPACITY);
    private int bytes; // of committed frames
    private long logBytes; // that they may take
    private int newest = NONE; // offset of the frame committed last

    /** Returns the bytes of all committed frames. */
    public int bytes() {
        return bytes;
    }

    /** Returns the bytes of the log that the committed frames may take. */
    long logBytes() {
        return logBytes;
    }

    /** Returns the offset of the frame committed last. */
    public int newest() {
        return newest;
    }

    public ByteBuffer memory() {
        return memory;
    }

    /** Returns the bytes of payload of the frame at an offset. */
    public int payload(int offset) {
        return memory.getInt(offset);
    }

    /** Returns the offset behind the frame at an offset. */
    public int next(int offset) {
        return offset + FragmentLayout.stagedBytes(payload(offset));
    }

    Frame claim(int maxLength) {
        int end = bytes + FragmentLayout.stagedBytes(maxLength);
        if (end > memory.capacity()) {
            grow(end);
        }
        return frame.wrap(memory, bytes + FragmentLayout.FRAME_OFFSET, maxLength);
    }

    /** Makes the claim a frame of the batch. */
    void commit(int length, long sequence) {
        memory.putInt(bytes, length);
        memory.putLong(bytes + FragmentLayout.FRAME_OFFSET + Frame.SEQUENCE_OFFSET, sequence);
        add(length);
    }

    /** Drops all frames. */
    void clear() {
        bytes = 0;
        logBytes = 0;
    }

    /** Keeps the first frames. */
    void keep(long frames) {
        clear();
        for (long i = 0; i < frames; i++) {
            add(payload(bytes));
        }
    }

    private void add(int payload) {
        newest = bytes;
        bytes += FragmentLayout.stagedBytes(payload);
        logBytes += FragmentLayout.logBytes(payload);
    }

    /**
     * Returns the offset behind the last frame that goes into one fragment: as many frames as the rest of the term holds, or as a
     * fragment holds.
     *
     * @param frames the most frames of the fragment, at least 1
     */
    public int endOfFragment(int from, ExclusivePublication publication, long frames) {
        int termLength = publication.termBufferLength();
        int leftInTerm =
                termLength - (int) (publication.position() & termLength - 1) - DataHeaderFlyweight.HEADER_LENGTH;
        int longest = publication.maxPayloadLength();
        int end = next(from);
        int most = end - from > leftInTerm ? longest : Math.min(leftInTerm, longest);
        if (frames >= bytes && bytes - from <= most) { // the usual one, without a walk; no frame is as short as a byte
            return bytes;
        }
        for (long taken = 1; end < bytes && taken < frames; taken++) {
            int next = next(end);
            if (next - from > most) {
                break;
            }
            end = next;
        }
        return end;
    }

    private void grow(int needed) {
        ByteBuffer larger = allocate(Math.max(needed, 2 * memory.capacity()));
        larger.put(0, memory, 0, memory.capacity());
        memory = larger;
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
