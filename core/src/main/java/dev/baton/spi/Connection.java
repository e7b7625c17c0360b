package dev.baton.spi;

import java.util.concurrent.locks.LockSupport;

/**
 * One thread's access to a transport: a loop that serves 200 topics has one connection, not 200.
 *
 * <p>Everything opened here is used by the thread that called {@link Transport#connect} and no other, with three
 * exceptions: {@link #wake} may be called by any thread, {@link Opening#prepare} and {@link Opening#withdraw} by another
 * thread while the first goes on, and {@link #close} by another thread once the first has stopped using the connection for
 * good. Any other thread gets an {@link IllegalStateException} whose text names both threads, and after the close every
 * caller one whose text says "closed".
 */
public interface Connection extends AutoCloseable {
    /**
     * Opens the topic's one writer and recovers where an earlier one left off. May block.
     *
     * <p>Where the transport keeps other writers out ({@link Guarantee#EXCLUSIVE}) a live one is the reason to refuse.
     * Elsewhere the newest writer wins: the one before it fails with a {@link ReplacedException} within a stated time, and
     * what it stores after this open is dropped by every reader.
     *
     * @param topic which exists already
     * @param topology of the chain that the writer belongs to ({@link Incarnation#topology})
     * @return the writer, which continues the topic's sequence
     * @throws TopicMismatchException when the topic was written by a chain of another topology
     * @throws OccupiedException when a live writer keeps others out
     * @throws TransportException when the topic does not exist
     */
    TopicWriter openWriter(String topic, String topology);

    /**
     * Opens a writer that belongs to no chain. Otherwise as {@link #openWriter(String, String)}.
     *
     * @param topic which exists already
     * @return the writer, which continues the topic's sequence
     */
    default TopicWriter openWriter(String topic) {
        return openWriter(topic, Incarnation.NO_TOPOLOGY);
    }

    /**
     * Opens a named consumer at the frame after the last one it acknowledged; a consumer seen for the first time starts
     * at the oldest frame that the topic still holds. May block.
     *
     * <p>A topic and consumer have one reader. Where the transport keeps others out ({@link Guarantee#EXCLUSIVE}) a live
     * one is the reason to refuse; elsewhere the newest wins, as among writers.
     *
     * @param topic which exists already
     * @param consumer whose position the reader continues and keeps
     * @return the reader, at its consumer's position
     * @throws OccupiedException when a live reader of this consumer keeps others out; the text names topic and consumer
     * @throws TransportException when the topic does not exist
     */
    TopicReader openReader(String topic, String consumer);

    /**
     * Opens a named consumer at a position, whatever it had acknowledged, and remembers that: opened again as by {@link
     * #openReader(String, String)} it goes on from there. Otherwise as that method. A process that is killed meanwhile leaves
     * the consumer where it was, where it was to start, or, like one seen for the first time, at the oldest frame.
     *
     * @param topic which exists already
     * @param consumer whose position is replaced
     * @param from where it begins to read, of a kind that the transport knows
     * @return the reader, at that position
     * @throws UnsupportedOperationException when the transport does not know the kind of position ({@link
     *     Transport#startPositions}); the text names both
     * @throws TransportException when the topic does not hold the position any more, or not yet: the text names its oldest or
     *     its newest sequence, and the consumer stays where it was
     */
    default TopicReader openReader(String topic, String consumer, StartPosition from) {
        throw new UnsupportedOperationException(
                "this transport opens consumers where they left off, not at " + from + ": topic '" + topic + "'");
    }

    /**
     * Begins what {@link #openWriter} does, for a thread that must not be blocked: what may block is done by another one.
     * Does not block itself.
     *
     * <p>A transport whose opens take no longer than a turn of a loop may keep this default, which opens in the second
     * step. The rules of {@link #openWriter} hold, whatever happens between the steps: where the newest writer wins, a
     * rival that is opened between them is the newer one.
     *
     * @param topic which exists already
     * @param topology of the chain that the writer belongs to ({@link Incarnation#topology})
     * @return the two steps of the opening, neither taken yet
     */
    default Opening<TopicWriter> beginWriter(String topic, String topology) {
        return Opening.atOnce(() -> openWriter(topic, topology));
    }

    /**
     * Begins what {@link #openReader(String, String)} does, as {@link #beginWriter}.
     *
     * @param topic which exists already
     * @param consumer whose position the reader continues and keeps
     * @return the two steps of the opening, neither taken yet
     */
    default Opening<TopicReader> beginReader(String topic, String consumer) {
        return Opening.atOnce(() -> openReader(topic, consumer));
    }

    /**
     * Begins what {@link #openReader(String, String, StartPosition)} does, as {@link #beginWriter}.
     *
     * @param topic which exists already
     * @param consumer whose position is replaced
     * @param from where it begins to read, of a kind that the transport knows
     * @return the two steps of the opening, neither taken yet
     */
    default Opening<TopicReader> beginReader(String topic, String consumer, StartPosition from) {
        return Opening.atOnce(() -> openReader(topic, consumer, from));
    }

    /**
     * One non-blocking turn of the transport's own input and output.
     *
     * @return work done, 0 when there was nothing to do
     * @throws TransportException what failed in the background since the last call
     */
    default int doWork() {
        return 0;
    }

    /**
     * Waits for news or for {@code nanos}, whichever comes first; may return early for no reason.
     *
     * @param nanos at least 1
     */
    default void await(long nanos) {
        LockSupport.parkNanos(nanos);
    }

    /**
     * Makes the calling thread the one that this connection belongs to. The thread of before has stopped using it, or a
     * lock orders the two.
     */
    default void adopt() {}

    /**
     * {@return whether frames leave only as {@link #doWork} is called: then the connection of a thread that sends now
     * and then has to be driven while that thread does something else}
     */
    default boolean needsWork() {
        return false;
    }

    /** Ends an {@link #await} in progress, if the transport waits otherwise than by parking the thread. Thread-safe. */
    default void wake() {}

    /** Flushes, stores positions and releases everything opened here, within a stated time. Idempotent. */
    @Override
    void close();
}
