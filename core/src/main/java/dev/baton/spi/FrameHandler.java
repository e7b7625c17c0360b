package dev.baton.spi;

/** A handler of frames for {@link TopicReader#poll}. */
@FunctionalInterface
public interface FrameHandler {
    /** The result of handling a frame. */
    enum Verdict {
        /** The frame is consumed: continue. */
        DONE,
        /** The frame is not consumed: stop, and deliver it again at the next poll. */
        RETRY
    }

    /**
     * Receives one frame.
     *
     * @param frame valid until this method returns
     * @param position increasing position of the frame in the topic, for {@link TopicReader#acknowledge}; the transport defines
     *     the meaning of the number
     * @return whether the frame is consumed
     */
    Verdict onFrame(Frame frame, long position);

    /**
     * Called with the writer of the next frame and those after it. A reader calls it once before the first frame and once at
     * each change of the writer, only from {@link TopicReader#poll}. An inspector calls it from {@link TopicInspector#read}.
     * Not called if the transport does not know the writer.
     *
     * @param writer writer that {@link TopicReader#writer} returns from then on
     */
    default void onWriter(Incarnation writer) {}
}
