package dev.baton.spi;

/** Receives frames from {@link TopicReader#poll}. */
@FunctionalInterface
public interface FrameHandler {
    /** What becomes of the frame just handed over. */
    enum Verdict {
        /** Consumed: go on. */
        DONE,
        /** Not consumed: stop, and deliver it again at the next poll. */
        RETRY
    }

    /**
     * Takes one frame.
     *
     * @param frame valid until this method returns
     * @param position the frame's place in the topic, rising, for {@link TopicReader#acknowledge}; what the number
     *     means is up to the transport
     * @return what becomes of it
     */
    Verdict onFrame(Frame frame, long position);

    /**
     * Says who wrote the frames from the next one on. A reader calls it before the first frame that it hands over and
     * wherever the writer changes, once each, and from {@link TopicReader#poll} alone; an inspector calls it from {@link
     * TopicInspector#read}. Not at all where the transport cannot tell.
     *
     * @param writer as {@link TopicReader#writer} answers from then on
     */
    default void onWriter(Incarnation writer) {}
}
