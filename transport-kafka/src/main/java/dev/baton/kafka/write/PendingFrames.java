package dev.baton.kafka.write;

import dev.baton.spi.Frame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Frames between their claim and their send: a queue in one growing buffer, each behind an int with its size.
 *
 * <p>The buffer starts over when it runs empty, which is after every flush unless the producer is full; one that had to
 * grow beyond {@value #MOST_KEPT} bytes is given back then. Confined to its loop.
 */
final class PendingFrames {
    private static final int FIRST_CAPACITY = 4 << 10;
    private static final int MOST_KEPT = 4 << 20;
    private static final int SIZE_BYTES = Integer.BYTES;

    private ByteBuffer memory; // null until the first claim, and after a large one
    private int head;
    private int tail;
    private int count;

    /** Aims a view at room for a frame behind the last one; valid until the next reservation. */
    Frame reserve(Frame view, int payloadLength) {
        int needed = SIZE_BYTES + Frame.HEADER_BYTES + payloadLength;
        if (memory == null) {
            memory = allocate(Math.max(FIRST_CAPACITY, needed));
        } else if (needed > memory.capacity() - tail) {
            makeRoom(needed);
        }
        return view.wrap(memory, tail + SIZE_BYTES, payloadLength);
    }

    /** Makes what was reserved the last frame, with its final length. */
    void append(int payloadLength) {
        int size = Frame.HEADER_BYTES + payloadLength;
        memory.putInt(tail, size);
        tail += SIZE_BYTES + size;
        count++;
    }

    /** Bytes of the first frame. */
    int firstSize() {
        return memory.getInt(head);
    }

    /** Copies the first frame, header and payload, to the start of an array. */
    void copyFirst(byte[] target, int size) {
        System.arraycopy(memory.array(), head + SIZE_BYTES, target, 0, size);
    }

    void removeFirst() {
        head += SIZE_BYTES + firstSize();
        count--;
    }

    /** Starts over at the front when nothing is left. Not while a frame is reserved: it would move. */
    void settle() {
        if (count == 0) {
            head = 0;
            tail = 0;
            if (memory != null && memory.capacity() > MOST_KEPT) {
                memory = null;
            }
        }
    }

    /** Drops all but the first {@code kept} frames. */
    void truncate(int kept) {
        int end = head;
        for (int i = 0; i < kept; i++) {
            end += SIZE_BYTES + memory.getInt(end);
        }
        tail = end;
        count = kept;
    }

    private void makeRoom(int needed) {
        int used = tail - head;
        ByteBuffer target = memory;
        if (used + needed > memory.capacity()) {
            target = allocate(Math.max(Math.addExact(used, needed), (int) Math.min(Integer.MAX_VALUE - 8L, 2L * used)));
        }
        System.arraycopy(memory.array(), head, target.array(), 0, used);
        memory = target;
        head = 0;
        tail = used;
    }

    private static ByteBuffer allocate(int capacity) {
        return ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
    }
}
