package dev.baton.spi;

import dev.baton.spi.errors.DamagedTopicException;
import java.util.Map;

/**
 * An inspector of a topic, which reads it from its oldest frame on without consuming it, while writers and consumers of
 * this and other processes may be active. For audits and for measuring the backlog of consumers.
 *
 * <p>It does not prevent deletion: a frame that all consumers have acknowledged may be removed before it is read, and
 * reading then continues at the oldest remaining one. Confined to the thread that opened it, except for {@link #close}
 * after that thread is done.
 */
public interface TopicInspector extends AutoCloseable {
    /**
     * Hands over the next frames, in the order in which they are stored, regardless of their sequences. May block as long
     * as the transport needs to respond.
     *
     * <p>The handler is notified of their writer as by a reader ({@link FrameHandler#onWriter}), if the transport knows it.
     *
     * @param handler handler as for {@link TopicReader#poll}; RETRY stops, and the next call delivers the same frame again
     * @param limit maximum number of frames to deliver, at least 1
     * @return number of frames that were delivered and consumed; 0 if nothing newer was stored
     * @throws DamagedTopicException for a record that is not a frame, or not the frame that was written; the next call
     *     continues after it if its end is known
     */
    int read(FrameHandler handler, int limit);

    /** {@return the sequence of the newest frame ever stored, 0 for none} Reads no other frame. May block. */
    long newestSequence();

    /**
     * {@return the sequence of the newest frame that each consumer has acknowledged, by the consumer's name} It is 0 for a
     * consumer that has acknowledged none yet, and {@link TopicReader#UNKNOWN} if the transport knows the position but not the
     * sequence. May block.
     */
    Map<String, Long> acknowledged();

    /**
     * {@return the input to which the cause of a frame refers; {@link InputRef#UNKNOWN} if the frame does not answer one,
     * or the transport does not know it} May block.
     *
     * @param sequence sequence of a frame that was delivered
     */
    default InputRef inputOf(long sequence) {
        return InputRef.UNKNOWN;
    }

    @Override
    void close();
}
