package dev.baton.spi;

import java.util.Map;

/**
 * A look at a topic from outside: reads it from its oldest frame on and consumes nothing, while writers and consumers of
 * this and other processes may be at work. For audits, repairs and measuring what consumers owe.
 *
 * <p>It keeps nothing from being deleted: a frame that all consumers have acknowledged may be gone before it is reached,
 * and then reading goes on at the oldest one left. Confined to the thread that opened it, but for {@link #close} after
 * that thread is done.
 */
public interface TopicInspector extends AutoCloseable {
    /**
     * Hands over the next frames, in the order in which they are stored, whatever their sequences say. May block for as
     * long as the transport needs to answer.
     *
     * <p>The handler is told who wrote them, as a reader tells it ({@link FrameHandler#onWriter}), where the transport can
     * tell.
     *
     * @param handler as for {@link TopicReader#poll}; RETRY stops and hands the same frame over again next time
     * @param limit the most frames to hand over, at least 1
     * @return frames handed over and taken; 0: nothing newer was stored when it was looked for
     * @throws DamagedTopicException for what is stored and is no frame, or not the frame that was written; the next call
     *     goes on behind it if its end is known
     */
    int read(FrameHandler handler, int limit);

    /** {@return the sequence of the newest frame ever stored, 0 for none} Reads no other frame. May block. */
    long newestSequence();

    /**
     * {@return the sequence of the newest frame that each consumer has acknowledged, by the consumer's name} It is 0
     * for one that has acknowledged none yet, and {@link TopicReader#UNKNOWN} where the transport knows the position
     * but not the sequence. May block.
     */
    Map<String, Long> acknowledged();

    /**
     * {@return the input in which the cause of a frame counts; {@link InputRef#UNKNOWN} when the frame does not answer
     * one, or the transport cannot tell} May block.
     *
     * @param sequence of a frame that was handed over
     */
    default InputRef inputOf(long sequence) {
        return InputRef.UNKNOWN;
    }

    @Override
    void close();
}
