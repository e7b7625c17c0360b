package dev.baton.engine.writing;

import dev.baton.spi.Frame;

/** An extension field that frames of one writer carry: {@link FrameWriter}. Confined to the thread of the writer. */
public interface FrameField {
    /** Returns the number of bytes that the next frame's extension grows by at most; 0 if that frame has no such field. */
    int bytes();

    /** Adds the field to a claim, unless its frame has no such field. */
    void add(Frame claim);

    /** Completes the field of a frame whose header is stamped, before its commit. */
    default void complete(Frame frame) {}
}
