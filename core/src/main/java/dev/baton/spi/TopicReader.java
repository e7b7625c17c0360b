package dev.baton.spi;

/**
 * A named consumer's view of a topic. Confined to the thread of its {@link Connection}.
 */
public interface TopicReader extends AutoCloseable {
    /** What {@link #sequenceAtOpen} answers when the transport cannot tell. */
    long UNKNOWN = -1;

    /**
     * Hands the next frames to the handler, in the writer's order. What a consumer has not acknowledged is kept for it:
     * neither another consumer nor a poll lets it be overwritten. What a retention of the transport removes is reported by a
     * {@link TransportException}, never skipped.
     *
     * <p>A frame is consumed when the handler answers DONE. When it answers RETRY or throws, polling stops and the same
     * frame comes first at the next poll. Never blocks.
     *
     * @param handler called by this thread, in this call
     * @param limit the most frames to hand over, at least 1
     * @return frames consumed
     * @throws IllegalArgumentException when {@code limit} is less than 1
     */
    int poll(FrameHandler handler, int limit);

    /**
     * Says that everything up to and including this position need not be seen again by this consumer.
     *
     * <p>A frame that was handed over and refused may be acknowledged: that consumes it, and it does not come again. The
     * memory of what is acknowledged may be written again at once: called between polls, not by a handler.
     *
     * <p>Positions come from {@link FrameHandler#onFrame}; one at or before an acknowledged one changes nothing. The
     * transport remembers it across a clean close, and across a crash to the extent stated among its {@linkplain
     * Transport#properties facts}.
     *
     * @param position from {@link FrameHandler#onFrame}
     * @throws IllegalArgumentException when {@code position} lies beyond the newest frame handed over; the text names both
     *     positions
     */
    void acknowledge(long position);

    /**
     * {@return the sequence of the newest frame that this consumer had acknowledged when it was opened, 0 when it had
     * none, {@link #UNKNOWN} when the transport does not keep it} Lets a chain know without polling that a topic holds
     * nothing new.
     */
    default long sequenceAtOpen() {
        return UNKNOWN;
    }

    /**
     * {@return the topic's identity: another one when it was deleted and created again} 0 where the transport has none,
     * or the topic never had a writer.
     */
    default long identity() {
        return 0;
    }

    /**
     * {@return who wrote the frame handed over last: the same object for all frames of a writer} Null before the first
     * frame, and where the transport cannot tell.
     */
    default Incarnation writer() {
        return null;
    }

    /**
     * {@return the sequence of the newest frame that the topic held at open; {@link #UNKNOWN} where that costs more
     * than a look}
     */
    default long newestAtOpen() {
        return UNKNOWN;
    }

    /**
     * {@return the number of frames that the topic holds now behind the last one consumed here, those of other
     * processes included; {@link #UNKNOWN} when the transport cannot tell} For monitors: it may cost a look into the
     * transport's memory or files, and over a network it is the last answer.
     */
    default long backlog() {
        return UNKNOWN;
    }

    /**
     * Steps over the record at which the last poll threw a {@link DamagedTopicException}, if its end is known.
     * The next poll goes on with the frame behind it.
     *
     * <p>A record is what the transport stores as one: one frame, or a batch of them, or whatever another program wrote
     * there. All of it is skipped, so that a sequence may be missing for each frame that it held. Nothing is acknowledged
     * by this: positions behind the record can be, and once one is remembered the record lies behind this consumer for
     * good. Until then a consumer that is opened again may come to it again.
     *
     * <p>Only what the transport itself could not read is skipped, not a frame at which the handler threw: a handler
     * skips that by answering DONE. Never blocks.
     *
     * @return false, and nothing is skipped, when the last poll threw no such exception or the record has been skipped
     *     already, when nothing behind the damage can be read ({@link DamagedTopicException#isEnd}), or when the transport
     *     cannot step over records
     */
    default boolean skipUnreadable() {
        return false;
    }

    /**
     * {@return a copy of the record at which the last poll threw a {@link DamagedTopicException}, as it is stored; null
     * when the transport cannot tell, and when it threw none}
     */
    default byte[] unreadableBytes() {
        return null;
    }

    /**
     * Stops reading for a consumer that another reader may have taken over: what was acknowledged and is not remembered yet is
     * forgotten, where the transport can. Idempotent, as {@link #close}, of which it takes the place.
     */
    default void abandon() {
        close();
    }

    /**
     * Closes as {@link #close} does, but without blocking: begins to, or goes on. Until it answers true the connection's
     * turns have to go on, and this has to be called again; nothing else may be asked of the reader meanwhile but {@link
     * #close} and {@link #abandon}, which end what was begun. Comes to an end within the transport's stated time.
     *
     * <p>A transport whose close takes no longer than a turn of a loop may keep this default.
     *
     * @return whether it is closed
     * @throws TransportException as {@link #close}; it is closed then, and what was acknowledged may come again
     */
    default boolean tryClose() {
        close();
        return true;
    }

    /** Remembers the acknowledged position and stops reading; the topic keeps what was not acknowledged. Idempotent. */
    @Override
    void close();
}
