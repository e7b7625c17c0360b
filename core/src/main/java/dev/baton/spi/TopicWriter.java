package dev.baton.spi;

import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;

/**
 * The only writer of a topic.
 *
 * <p>Frames are claimed and committed one by one, and become visible to readers in batches: {@link #flush} sends all frames
 * committed since the last flush. Until then they can be withdrawn, so that a service whose callback fails leaves no
 * output. The sequence is assigned at commit: 1, 2, 3 ... without gaps. It continues when a topic is opened again.
 *
 * <p>Confined to the thread of its {@link Connection}; another thread gets an {@link IllegalStateException}.
 */
public interface TopicWriter extends AutoCloseable {
    /**
     * {@return the number of commits of any length that will certainly succeed now, before a reader or a flush makes more room}
     *
     * <p>0 means back-pressure. Never blocks. A log that is limited in bytes counts frames of the longest payload here, and
     * implements {@link #remainingCapacity(int)} for shorter ones.
     */
    int remainingCapacity();

    /**
     * {@return the number of commits of at most {@code maxLength} payload bytes each that will certainly succeed now: at least
     * {@link #remainingCapacity()}, and more in a log that is limited in bytes} Never blocks.
     *
     * @param maxLength as for {@link #claim}
     */
    default int remainingCapacity(int maxLength) {
        return remainingCapacity();
    }

    /**
     * {@return the maximum of {@link #remainingCapacity}, which it has whenever everything is read, acknowledged and stored} A
     * service that may produce more outputs per input is refused at the start.
     */
    int capacity();

    /**
     * {@return the consumer because of which this writer has less room than its {@link #capacity}, of several the one that
     * is furthest behind; null if no consumer has frames to acknowledge, or if consumers do not hold back this transport's
     * writers} A consumer without a reader counts, in whichever process it was. For monitors and messages: it may read the
     * transport's memory or files. Never blocks.
     */
    default ConsumerLag slowestConsumer() {
        return null;
    }

    /**
     * Begins a frame in place.
     *
     * <p>The memory may contain old bytes: header and payload are undefined until the caller writes them. A transport may claim
     * directly in its log if claimed and committed frames stay invisible until the flush, and abort and {@link #rewind} can
     * withdraw them. A log that cannot withdraw frames stages the frames of a batch, and copies them at the flush.
     *
     * @param maxLength bytes of payload that may be written, 0 to {@link Transport#maxPayload}
     * @return a view that is valid until commit or abort; null if there is no room now
     * @throws IllegalArgumentException when {@code maxLength} is out of range; the text names both sizes
     * @throws IllegalStateException when a claim is already open; the text says "open claim", as that of {@link #flush}
     *     and {@link #rewind} does. After close; the text of all methods says "closed" then
     */
    Frame claim(int maxLength);

    /**
     * Ends the open claim, assigns the frame's sequence, and adds the frame to the batch that the next {@link #flush}
     * sends.
     *
     * @param length number of payload bytes used, 0 to the claimed length
     * @return the assigned sequence
     * @throws IllegalArgumentException when {@code length} is out of range; the text names both lengths, the claim stays
     *     open
     * @throws IllegalStateException when no claim is open
     */
    long commit(int length);

    /** Discards the open claim. Does nothing if there is none. */
    void abort();

    /**
     * Hands all committed frames to the transport, in order. Does nothing if there are none. Must not be called with an
     * open claim.
     *
     * <p>The frames of a batch become visible in order, but not necessarily all at once: a poll may end in the middle of
     * the batch. With {@link Guarantee#IMMEDIATE} the complete batch is visible at the next poll. {@link
     * TopicEnd#isWhole} returns whether the newest batch was stored completely, for the next writer.
     *
     * @throws IllegalStateException when a claim is open
     * @throws TransportException if the transport cannot take them, or lost earlier ones; this writer then writes no more
     */
    void flush();

    /**
     * Hands over all committed frames, and names the inputs that they answer: those of a reader up to and including a position.
     * A transport with transactions stores both together. On every transport {@link TopicReader#acknowledge} follows when the
     * frames are stored.
     *
     * @param answered reader of the same connection
     * @param position position from {@link FrameHandler#onFrame}, of the last input answered
     */
    default void flush(TopicReader answered, long position) {
        flush();
    }

    /**
     * Withdraws all frames that were committed after {@code sequence} and not yet flushed, as if they had never existed. The
     * input that was set last ({@link #answers}) holds for the frames that follow.
     *
     * @param sequence sequence of the newest frame that is kept
     * @throws IllegalArgumentException when {@code sequence} lies before the last flush or after {@link #sequence}; the
     *     text names it
     * @throws IllegalStateException when a claim is open
     */
    void rewind(long sequence);

    /** {@return the newest committed sequence; 0 for a topic that never had a frame} */
    long sequence();

    /**
     * {@return the newest sequence that the transport has confirmed as stored; {@link Transport#properties} define what
     * "stored" means}
     */
    long storedSequence();

    /**
     * {@return null while this writer works; otherwise why it has ended, from then on and after its close} It reports
     * failures that occur between two calls: a newer writer has replaced this one ({@link ReplacedException}), or frames
     * that were flushed are lost. Methods that need the writer throw for the same reason.
     *
     * <p>A writer that has ended stores no more frames. Other writers and readers of its connection continue, unless the
     * transport's documentation names the connection as the unit that fails. It is called in every turn, so it must be as
     * cheap as reading a field. A transport in which nothing fails between two calls may keep this default.
     */
    default TransportException failure() {
        return null;
    }

    /** {@return the end of the topic that this writer found when it was opened, always the same object} */
    TopicEnd found();

    /**
     * Sets the input to which the causes of frames refer that are committed from now on. It is stored with the frames; a
     * transport that stores it outside of them does so before the first of them is stored. Called before the first commit, and
     * whenever the input's writer changes; not for each frame.
     *
     * @param input input of the following frames; {@link InputRef#UNKNOWN} if it is not known
     */
    default void answers(InputRef input) {}

    /** {@return the incarnation of this writer, stored with the topic from its open on; null if the transport keeps none} */
    default Incarnation incarnation() {
        return null;
    }

    /** Discards an open claim, flushes, and releases the topic for another writer. Does not wait for storage. Idempotent. */
    @Override
    void close();

    /**
     * A consumer of a topic, and its distance from the topic's end. Immutable, thread-safe.
     *
     * @param consumer name of the consumer
     * @param frames number of flushed frames that it has not acknowledged
     */
    record ConsumerLag(String consumer, long frames) {}
}
