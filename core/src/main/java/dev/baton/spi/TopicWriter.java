package dev.baton.spi;

/**
 * The one writer of a topic.
 *
 * <p>Frames are claimed and committed one by one and become visible to readers in batches: {@link #flush} hands over all
 * that was committed since the last one. Until then they can be taken back, so that a service whose callback fails
 * leaves nothing behind. The sequence is given at commit: 1, 2, 3 ... without gaps, continued when a topic is opened
 * again.
 *
 * <p>Confined to the thread of its {@link Connection}; another thread gets an {@link IllegalStateException}.
 */
public interface TopicWriter extends AutoCloseable {
    /**
     * {@return how many commits of any length will certainly succeed now, before any reader or any flush makes more
     * room}
     *
     * <p>0 means back-pressure. Never blocks. A log that is limited in bytes counts frames of the longest payload here, and
     * answers {@link #remainingCapacity(int)}.
     */
    int remainingCapacity();

    /**
     * {@return how many commits of at most so many bytes of payload each will certainly succeed now: no less than
     * {@link #remainingCapacity()}, and more in a log that is limited in bytes} Never blocks.
     *
     * @param maxLength as for {@link #claim}
     */
    default int remainingCapacity(int maxLength) {
        return remainingCapacity();
    }

    /**
     * {@return the most that {@link #remainingCapacity} can ever be, which it is again whenever everything is read,
     * acknowledged and stored} A service that may produce more outputs per input is refused at start.
     */
    int capacity();

    /**
     * Begins a frame in place.
     *
     * <p>The memory may hold old bytes: header and payload are undefined until the caller stamps and writes them. A
     * transport may claim in its log itself if what is claimed and committed there stays invisible until the flush, and
     * abort and {@link #rewind} take it back. A log that cannot take anything back stages the frames of a batch, and copies
     * them at the flush.
     *
     * @param maxLength bytes of payload that may be written, 0 to {@link Transport#maxPayload}
     * @return a view valid until commit or abort, or null: no room now, try later
     * @throws IllegalArgumentException when {@code maxLength} is out of range; the text names both sizes
     * @throws IllegalStateException when a claim is already open; the text says "open claim", as that of {@link #flush}
     *     and {@link #rewind} does. After close; the text of all methods says "closed" then
     */
    Frame claim(int maxLength);

    /**
     * Ends the open claim, gives the frame its sequence and makes it part of the batch that the next {@link #flush}
     * hands over.
     *
     * @param length bytes of payload used, 0 to the claimed length
     * @return the sequence just given
     * @throws IllegalArgumentException when {@code length} is out of range; the text names both lengths, the claim stays
     *     open
     * @throws IllegalStateException when no claim is open
     */
    long commit(int length);

    /** Drops the open claim; without one it does nothing. */
    void abort();

    /**
     * Hands all committed frames to the transport, in order; without any it does nothing. Called without an open claim.
     *
     * <p>The frames of a batch become visible in order, not necessarily all at once: a poll may end in the middle of it.
     * Where {@link Guarantee#IMMEDIATE} holds, the whole batch is there at the next poll. Whether a crash stores all of a
     * batch or nothing is what {@link #isCauseAtOpenComplete} tells.
     *
     * @throws IllegalStateException when a claim is open
     * @throws TransportException when the transport cannot take them, or lost earlier ones: this writer writes no more
     */
    void flush();

    /**
     * Hands all committed frames over, and says what they answer: the inputs of this reader up to and including this
     * position. A transport with transactions stores both together; {@link TopicReader#acknowledge} follows when they
     * are stored, on every transport.
     *
     * @param answered reader of the same connection
     * @param position from {@link FrameHandler#onFrame}, of the last input answered
     */
    default void flush(TopicReader answered, long position) {
        flush();
    }

    /**
     * Takes back every frame committed after {@code sequence} and not yet flushed, as if it had never been.
     *
     * @param sequence of the newest frame that stays
     * @throws IllegalArgumentException when {@code sequence} lies before the last flush or after {@link #sequence}; the
     *     text names it
     * @throws IllegalStateException when a claim is open
     */
    void rewind(long sequence);

    /** {@return the newest sequence committed; 0 for a topic that never had a frame} */
    long sequence();

    /**
     * {@return the newest sequence that the transport vouches for: what "stored" means is among {@link
     * Transport#properties}}
     */
    long storedSequence();

    /** {@return the {@code cause} of the newest frame found when this writer was opened, 0 when there was none} */
    long causeAtOpen();

    /**
     * {@return the input in which {@link #causeAtOpen} counts: what {@link #answers} said to the writer of that frame}
     * {@link InputRef#UNKNOWN} when there is no frame, or where the transport cannot tell.
     */
    default InputRef inputAtOpen() {
        return InputRef.UNKNOWN;
    }

    /**
     * Says in which input the causes of frames count that are committed from now on. Kept with the frames: where the
     * transport keeps it beside them, before the first of them is stored. Called before the first commit, and whenever
     * the input's writer is another one; not for each frame.
     *
     * @param input of the frames to come; {@link InputRef#UNKNOWN} when it is not known
     */
    default void answers(InputRef input) {}

    /** {@return the {@code origin} of the newest frame found when this writer was opened, 0 when there was none} */
    default long originAtOpen() {
        return 0;
    }

    /**
     * {@return the value of the field {@link Extension#MERGED} of the newest frame found when this writer was opened;
     * null when there was no frame, or it has no such field} A merge cannot be opened again over a transport that does
     * not keep it.
     */
    default byte[] mergedAtOpen() {
        return null;
    }

    /**
     * {@return the value of the field {@link Extension#TICK} of the newest frame found when this writer was opened;
     * null when there was no frame, or it has no such field} Where the transport does not keep it, outputs of a tick
     * that found no room before a crash are lost if the service holds inputs.
     */
    default byte[] tickAtOpen() {
        return null;
    }

    /** {@return the writer of the newest frame found when this one was opened; null for none, and where it is not known} */
    default Incarnation predecessor() {
        return null;
    }

    /** {@return this writer's life, known to the topic from its open on; null where the transport keeps none} */
    default Incarnation incarnation() {
        return null;
    }

    /**
     * {@return whether the topic holds every frame that was to answer {@link #causeAtOpen}: the newest frame was stored
     * together with all others of its flush or not at all} It depends on the writer that stored that frame, not on this
     * one. Where the transport cannot tell it is false: the inputs of that cause are answered again then, none is lost.
     */
    default boolean isCauseAtOpenComplete() {
        return false;
    }

    /** Drops an open claim, flushes, and gives the topic free for another writer. Idempotent; does not wait for storage. */
    @Override
    void close();
}
