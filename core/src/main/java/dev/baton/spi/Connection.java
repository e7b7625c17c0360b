package dev.baton.spi;

import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import java.util.concurrent.locks.LockSupport;

/**
 * The access of one thread to a transport. A loop that serves 200 topics has one connection, not 200.
 *
 * <p>The connection and everything opened through it is confined to the thread that called {@link Transport#connect}, with
 * three exceptions. Any thread may call {@link #wake}. Another thread may call {@link Opening#prepare} and {@link
 * Opening#withdraw} while the first one continues. Another thread may call {@link #close} once the first one no longer uses
 * the connection. Any other use throws an {@link IllegalStateException} whose text names both threads; after the close,
 * every use throws one whose text says "closed".
 */
public interface Connection extends AutoCloseable {
    /**
     * Opens the topic's only writer, which continues where an earlier one ended. May block.
     *
     * <p>If the transport excludes a second writer ({@link Guarantee#EXCLUSIVE}), this call is refused while another writer
     * lives. Otherwise the newest writer wins: the previous one fails with a {@link ReplacedException} within a stated time
     * ({@link TopicWriter#failure}), alone of all that its connection has opened, and every reader drops what it stores
     * after this open.
     *
     * @param topic existing topic
     * @param topology topology of the writer's chain ({@link Incarnation#topology})
     * @return the writer, which continues the topic's sequence
     * @throws TopicMismatchException if a chain of another topology wrote the topic
     * @throws OccupiedException if a live writer excludes others
     * @throws TransportException if the topic does not exist
     */
    TopicWriter openWriter(String topic, String topology);

    /**
     * Opens a writer that does not belong to a chain. Otherwise as {@link #openWriter(String, String)}.
     *
     * @param topic existing topic
     * @return the writer, which continues the topic's sequence
     */
    default TopicWriter openWriter(String topic) {
        return openWriter(topic, Incarnation.NO_TOPOLOGY);
    }

    /**
     * Opens a named consumer at the frame after the last one that it acknowledged. A new consumer starts at the oldest
     * frame that the topic still holds. May block.
     *
     * <p>On a transport that guarantees {@link Guarantee#DURABLE}, an {@linkplain ObservingConsumer observing consumer}
     * does not hold the topic back: {@link ObservingConsumer}.
     *
     * <p>A consumer of a topic has one reader. If the transport excludes a second one ({@link Guarantee#EXCLUSIVE}), this
     * call is refused while another reader lives. Otherwise the newest reader wins, as among writers.
     *
     * @param topic existing topic
     * @param consumer whose position the reader continues and keeps
     * @return the reader, at its consumer's position
     * @throws OccupiedException if a live reader of this consumer excludes others; the text names topic and consumer
     * @throws TransportException when the topic does not exist
     */
    TopicReader openReader(String topic, String consumer);

    /**
     * Opens a named consumer at a position, regardless of what it has acknowledged, and stores that: opened again by {@link
     * #openReader(String, String)}, it continues from there. Otherwise as that method. If the process is killed meanwhile, the
     * consumer is at its former position, at the new one, or, like a new consumer, at the oldest frame.
     *
     * @param topic existing topic
     * @param consumer whose position is replaced
     * @param from position at which it begins to read, of a kind that the transport supports
     * @return the reader, at that position
     * @throws UnsupportedOperationException if the transport does not support this kind of position ({@link
     *     Transport#startPositions}); the text names both
     * @throws TransportException if the topic no longer holds the position, or does not hold it yet; the text names its oldest
     *     or its newest sequence, and the consumer keeps its position
     */
    default TopicReader openReader(String topic, String consumer, StartPosition from) {
        throw new UnsupportedOperationException(
                "this transport opens consumers where they left off, not at " + from + ": topic '" + topic + "'");
    }

    /**
     * Begins to open a writer as {@link #openWriter} does, for a thread that must not block: another thread does what may
     * block. Does not block.
     *
     * <p>A transport whose opens take no longer than a turn of a loop may keep this default, which opens in the second step.
     * The rules of {@link #openWriter} hold regardless of what happens between the steps: if the newest writer wins, a writer
     * that another process opens between them is the newer one.
     *
     * @param topic existing topic
     * @param topology topology of the writer's chain ({@link Incarnation#topology})
     * @return the two steps of the opening, neither taken yet
     */
    default Opening<TopicWriter> beginWriter(String topic, String topology) {
        return Opening.atOnce(() -> openWriter(topic, topology));
    }

    /**
     * Begins to open a reader as {@link #openReader(String, String)} does, in two steps as {@link #beginWriter}.
     *
     * @param topic existing topic
     * @param consumer whose position the reader continues and keeps
     * @return the two steps of the opening, neither taken yet
     */
    default Opening<TopicReader> beginReader(String topic, String consumer) {
        return Opening.atOnce(() -> openReader(topic, consumer));
    }

    /**
     * Begins to open a reader as {@link #openReader(String, String, StartPosition)} does, in two steps as {@link #beginWriter}.
     *
     * @param topic existing topic
     * @param consumer whose position is replaced
     * @param from where it begins to read, of a kind that the transport knows
     * @return the two steps of the opening, neither taken yet
     */
    default Opening<TopicReader> beginReader(String topic, String consumer, StartPosition from) {
        return Opening.atOnce(() -> openReader(topic, consumer, from));
    }

    /**
     * Takes one turn of the transport's own input and output. Does not block.
     *
     * @return work count; 0 if there was nothing to do
     * @throws TransportException if the connection has failed, so that everything opened through it is lost. A failure of
     *     one writer or one reader is not thrown here: {@link TopicWriter#failure} and {@link TopicReader#failure} report
     *     it
     */
    default int doWork() {
        return 0;
    }

    /**
     * Waits for new messages or for {@code nanos}, whichever comes first. May return early spuriously.
     *
     * @param nanos nanoseconds, at least 1
     */
    default void await(long nanos) {
        LockSupport.parkNanos(nanos);
    }

    /**
     * Makes the calling thread the owner of this connection. The former owner has stopped using it, or a lock orders the two.
     */
    default void adopt() {}

    /**
     * {@return whether frames are sent only while {@link #doWork} is called; if so, the connection of a thread that sends only
     * occasionally has to be driven while that thread does something else}
     */
    default boolean needsWork() {
        return false;
    }

    /**
     * {@return whether {@link #doWork} and polls have to be called every few milliseconds while nothing is sent here} A
     * transport may answer false if other threads of this process can poll a frame as soon as its flush has returned, and
     * if a poll finds whatever was flushed before. An idle loop that is woken for all its messages then has about ten turns
     * a second.
     */
    default boolean needsTurns() {
        return true;
    }

    /** Ends an {@link #await} in progress, if the transport does not wait by parking the thread. Thread-safe. */
    default void wake() {}

    /** Flushes, stores positions and releases everything opened here, within a stated time. Idempotent. */
    @Override
    void close();
}
