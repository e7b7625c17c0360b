package dev.baton.spi;

import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;

/**
 * The reader of a named consumer of a topic. Confined to the thread of its {@link Connection}.
 */
public interface TopicReader extends AutoCloseable {
    /** The value of a sequence or a number of frames that the transport does not know. */
    long UNKNOWN = -1;

    /**
     * Hands the next frames to the handler, in the writer's order. Frames that a consumer has not acknowledged are kept for
     * it: neither another consumer nor a poll causes them to be overwritten. If the transport's retention removes such a
     * frame, a {@link TransportException} reports it; the frame is never skipped silently.
     *
     * <p>A frame is consumed if the handler returns DONE. If it returns RETRY or throws, polling stops and the same frame
     * comes first at the next poll. Never blocks.
     *
     * @param handler handler, called by this thread, during this call
     * @param limit maximum number of frames to deliver, at least 1
     * @return number of frames consumed
     * @throws IllegalArgumentException when {@code limit} is less than 1
     */
    int poll(FrameHandler handler, int limit);

    /**
     * Acknowledges all frames up to and including a position: this consumer does not need them again.
     *
     * <p>A frame that was delivered and refused may be acknowledged: it is then consumed and not delivered again. The
     * memory of acknowledged frames may be overwritten at once, so call this method between polls, not in a handler.
     *
     * <p>Positions come from {@link FrameHandler#onFrame}; a position at or before an acknowledged one has no effect. The
     * transport keeps the position across a clean close, and across a crash to the extent stated in its {@linkplain
     * Transport#properties properties}.
     *
     * @param position position from {@link FrameHandler#onFrame}
     * @throws IllegalArgumentException when {@code position} lies beyond the newest frame delivered; the text names both
     *     positions
     */
    void acknowledge(long position);

    /** {@return the position of the consumer and the topic that this reader found when it was opened} */
    default TopicStart found() {
        return TopicStart.UNKNOWN;
    }

    /**
     * {@return null while this reader works; otherwise why it has ended, from then on and after its close} It reports failures
     * that occur between two calls, as {@link TopicWriter#failure} does: a newer reader of the consumer has replaced this one
     * ({@link ReplacedException}), or its position cannot be stored.
     */
    default TransportException failure() {
        return null;
    }

    /**
     * {@return the writer of the last frame that was delivered, which is the same object for all frames of a writer} Null
     * before the first frame, and if the transport does not know the writer.
     */
    default Incarnation writer() {
        return null;
    }

    /**
     * {@return the number of frames that the topic now holds after the last one consumed here, including those from other
     * processes; {@link #UNKNOWN} if the transport does not know it} For monitors: it may read the transport's memory or files,
     * and over a network it is based on the last answer.
     */
    default long backlog() {
        return UNKNOWN;
    }

    /**
     * Skips the record at which the last poll threw a {@link DamagedTopicException}, if its end is known. The next poll
     * continues with the frame after it.
     *
     * <p>A record is a unit of the transport's storage: one frame, a batch of frames, or something that another program
     * wrote. The complete record is skipped, so the sequences of all frames in it may be missing; of a batch that repeats
     * sequences, only the frames that do so. The call does not
     * acknowledge frames. Once a position after the record is acknowledged and stored, the consumer does not read the
     * record again. Until then, a consumer that is opened again may reach it again.
     *
     * <p>Only a record that the transport itself could not read is skipped, not a frame at which the handler threw; a
     * handler skips such a frame by returning DONE. Never blocks.
     *
     * @return true if the record was skipped; false if the last poll threw no such exception, if the record was skipped
     *     already, if nothing after the damage can be read ({@link DamagedTopicException#isEnd}), or if the transport
     *     cannot skip records
     */
    default boolean skipUnreadable() {
        return false;
    }

    /**
     * {@return a copy of the record at which the last poll threw a {@link DamagedTopicException}, as it is stored; null if the
     * transport does not have it, or if the poll threw none}
     */
    default byte[] unreadableBytes() {
        return null;
    }

    /**
     * Stops reading for a consumer that another reader may have taken over. Acknowledgements that are not stored yet are
     * discarded, if the transport can do so. Replaces {@link #close}, and is idempotent as well.
     */
    default void abandon() {
        close();
    }

    /**
     * Closes as {@link #close} does, but without blocking: each call begins or continues the close. Until it returns true, the
     * connection needs its turns, and this method has to be called again. Meanwhile no other method of the reader may be called
     * except {@link #close} and {@link #abandon}, which complete the close. It completes within the time that {@link
     * Transport} states.
     *
     * <p>A transport whose close takes no longer than a turn of a loop may keep this default.
     *
     * @return whether the reader is closed
     * @throws TransportException as {@link #close}; the reader is closed then, and acknowledged frames may be delivered again
     */
    default boolean tryClose() {
        close();
        return true;
    }

    /**
     * Stores the acknowledged position and stops reading. The topic keeps the frames that were not acknowledged.
     * Idempotent.
     */
    @Override
    void close();

    /**
     * The start of a consumer in a topic, as its reader found both when it was opened. Immutable, thread-safe.
     *
     * @param acknowledged sequence of the newest frame that the consumer had acknowledged, or of the frame before the {@link
     *     StartPosition} at which it was opened; 0 for none; {@link TopicReader#UNKNOWN} if the transport does not keep it. With it
     *     a chain detects new frames of a topic without polling
     * @param newest sequence of the newest frame that the topic held; {@link TopicReader#UNKNOWN} if it is expensive to find
     * @param identity identity of the topic, which changes if the topic is deleted and created again; 0 if the transport has none
     */
    record TopicStart(long acknowledged, long newest, long identity) {
        /** The start over a transport that knows nothing about it. */
        public static final TopicStart UNKNOWN = new TopicStart(TopicReader.UNKNOWN, TopicReader.UNKNOWN, 0);
    }
}
