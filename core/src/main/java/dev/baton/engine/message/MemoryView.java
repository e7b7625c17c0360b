package dev.baton.engine.message;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A reusable buffer that views a part of the memory of frames. A new buffer is created only if the memory is another one,
 * which is rare. Confined to one thread.
 */
final class MemoryView {
    private final boolean isReadOnly;
    private ByteBuffer memory; // null before the first use
    private ByteBuffer view; // view of that memory with its own position and limit

    MemoryView(boolean isReadOnly) {
        this.isReadOnly = isReadOnly;
    }

    /** Returns a view of the bytes from {@code offset} to {@code offset + length} (exclusive), little endian. */
    ByteBuffer of(ByteBuffer viewed, int offset, int length) {
        if (memory != viewed) {
            memory = viewed;
            view = isReadOnly ? viewed.asReadOnlyBuffer() : viewed.duplicate();
        }
        return view.order(ByteOrder.LITTLE_ENDIAN).limit(offset + length).position(offset);
    }

    /** Makes a view empty, because its memory may be used for something else from now on. Accepts null. */
    static void end(MemoryView used) {
        if (used != null && used.view != null) {
            used.view.limit(0);
        }
    }
}
