package dev.baton.engine.message;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A buffer over the memory of frames, aimed at a part of it: one object for as long as the memory stays the same, as a
 * transport's mostly does. Confined to one thread.
 */
public final class MemoryView {
    private final boolean isReadOnly;
    private ByteBuffer memory; // null until something is viewed
    private ByteBuffer view; // on that memory: its limits are this object's own

    MemoryView(boolean isReadOnly) {
        this.isReadOnly = isReadOnly;
    }

    /** From {@code offset} to before {@code offset + length}, little endian. */
    ByteBuffer of(ByteBuffer viewed, int offset, int length) {
        if (memory != viewed) {
            memory = viewed;
            view = isReadOnly ? viewed.asReadOnlyBuffer() : viewed.duplicate();
        }
        return view.order(ByteOrder.LITTLE_ENDIAN).limit(offset + length).position(offset);
    }
}
