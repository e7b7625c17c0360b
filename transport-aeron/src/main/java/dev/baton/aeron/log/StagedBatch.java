package dev.baton.aeron.log;

import dev.baton.spi.Frame;
import io.aeron.ExclusivePublication;
import io.aeron.protocol.DataHeaderFlyweight;
import java.nio.ByteBuffer;

/**
 * The frames that are committed and not flushed yet, as a fragment holds them, and the open claim behind them: an abort and a rewind
 * leave nothing in the log. Has memory of a {@link StagingPool} from the first claim until {@link #clear}, which grows up to the
 * capacity of a topic. Confined to the writer's thread.
 */
public final class StagedBatch {
    private static final int NONE = -1;

    private final StagingPool pool;
    private final Frame frame = new Frame();
    private int taken = NONE; // number of the memory
    private ByteBuffer memory; // null before the first claim
    private int bytes; // of committed frames
    private long logBytes; // that they may take
    private int newest = NONE; // offset of the frame committed last

    StagedBatch(StagingPool pool) {
        this.pool = pool;
    }

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
        if (taken == NONE) {
            take();
        }
        int end = bytes + FragmentLayout.stagedBytes(maxLength);
        if (end > memory.capacity()) {
            memory = pool.grow(taken, end);
        }
        return frame.wrap(memory, bytes + FragmentLayout.FRAME_OFFSET, maxLength);
    }

    private void take() {
        taken = pool.take();
        ByteBuffer next = pool.memory(taken);
        if (next != memory) { // no store, and no barrier of the collector, for the same memory
            memory = next;
        }
    }

    /** Makes the claim a frame of the batch. */
    void commit(int length, long sequence) {
        memory.putInt(bytes, length);
        memory.putLong(bytes + FragmentLayout.FRAME_OFFSET + Frame.SEQUENCE_OFFSET, sequence);
        add(length);
    }

    /** Drops all frames. */
    void clear() {
        if (taken != NONE) {
            pool.give(taken);
            taken = NONE;
        }
        bytes = 0;
        logBytes = 0;
    }

    /** Keeps the first frames. */
    void keep(long frames) {
        bytes = 0;
        logBytes = 0;
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
}
