package dev.baton.aeron.log;

import dev.baton.spi.Frame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The frames of a batch that was not flushed yet, as a fragment holds them: an abort and a rewind leave nothing in the log. Grows up
 * to what a topic holds. Confined to the writer's thread.
 */
final class Staging {
    private static final int FIRST_CAPACITY = 4 << 10;

    private final Frame frame = new Frame();
    private ByteBuffer memory = allocate(FIRST_CAPACITY);

    ByteBuffer memory() {
        return memory;
    }

    /** A view of the frame at an offset, with room for so many bytes of payload. */
    Frame at(int offset, int payload) {
        int end = offset + FragmentLayout.stagedBytes(payload);
        if (end > memory.capacity()) {
            grow(end);
        }
        return frame.wrap(memory, offset + FragmentLayout.FRAME_OFFSET, payload);
    }

    /** Bytes of payload of a committed frame. */
    int payload(int offset) {
        return memory.getInt(offset);
    }

    /** Writes what a commit adds to the frame at an offset. */
    void commit(int offset, int payload, long sequence) {
        memory.putInt(offset, payload);
        memory.putLong(offset + FragmentLayout.FRAME_OFFSET + Frame.SEQUENCE_OFFSET, sequence);
    }

    /** Says of the fragment that begins at an offset whether it is the last one of its flush. */
    void lastOfFlush(int offset, boolean isLast) {
        memory.putInt(offset + FragmentLayout.FLAGS_AT, isLast ? FragmentLayout.LAST_OF_FLUSH : 0);
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
