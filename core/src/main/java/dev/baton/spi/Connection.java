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
     * Begins to open the topic's only writer, which continues where an earlier one ended. Does not block: {@link
     * Opening#prepare} does what may block, on any thread. A transport whose opens take no longer than a turn of a loop
     * returns {@link Opening#atOnce}. What is refused is refused by this method or by a step of the opening.
     *
     * <p>If the transport excludes a second writer ({@link Guarantee#EXCLUSIVE}), the opening is refused while another writer
     * lives. Otherwise the newest writer wins: the previous one fails with a {@link ReplacedException} within two seconds ({@link
     * TopicWriter#failure}), alone of all that its connection has opened, and every reader drops what it stores after this open.
     * A writer that another process opens between the steps is the newer one; such a transport implements {@link
     * Opening#requireNewest}.
     *
     * @param topic existing topic
     * @param topology topology of the writer's chain ({@link Incarnation#topology})
     * @return the steps of the opening, none of them taken yet
     * @throws TopicMismatchException if a chain of another topology wrote the topic
     * @throws OccupiedException if a live writer excludes others
     * @throws TransportException if the topic does not exist
     */
    Opening<TopicWriter> beginWriter(String topic, String topology);

    /**
     * Begins to open a named consumer at a position, in steps as {@link #beginWriter} does. At {@link StartPosition#stored} it
     * continues after the last frame that it acknowledged, and a new consumer starts at the oldest frame that the topic
     * still holds. Any other position replaces the stored one: opened again at the stored position, the consumer continues from
     * there. If the process is killed meanwhile, the consumer is at its former position, at the new one, or, like a new
     * consumer, at the oldest frame.
     *
     * <p>On a transport that guarantees {@link Guarantee#DURABLE}, an {@linkplain ObservingConsumer observing consumer}
     * does not hold the topic back: {@link ObservingConsumer}.
     *
     * <p>A consumer of a topic has one reader. If the transport excludes a second one ({@link Guarantee#EXCLUSIVE}), the
     * opening is refused while another reader lives. Otherwise the newest reader wins, as among writers.
     *
     * @param topic existing topic
     * @param consumer whose position the reader keeps
     * @param from position at which it begins to read
     * @return the steps of the opening, none of them taken yet
     * @throws OccupiedException if a live reader of this consumer excludes others; the text names topic and consumer
     * @throws UnsupportedOperationException if the transport does not support this kind of position ({@link
     *     Transport#startPositions}); the text names both
     * @throws TransportException if the topic does not exist, no longer holds the position, or does not hold it yet; the text
     *     names its oldest or its newest sequence, and the consumer keeps its position
     */
    Opening<TopicReader> beginReader(String topic, String consumer, StartPosition from);

    /**
     * Opens a writer, with all steps of {@link #beginWriter} on this thread. May block.
     *
     * @param topic existing topic
     * @param topology topology of the writer's chain ({@link Incarnation#topology})
     * @return the writer, which continues the topic's sequence
     */
    default TopicWriter openWriter(String topic, String topology) {
        return beginWriter(topic, topology).open();
    }

    /**
     * Opens a writer that does not belong to a chain. May block.
     *
     * @param topic existing topic
     * @return the writer, which continues the topic's sequence
     */
    default TopicWriter openWriter(String topic) {
        return openWriter(topic, Incarnation.NO_TOPOLOGY);
    }

    /**
     * Opens a consumer at a position, with all steps of {@link #beginReader} on this thread. May block.
     *
     * @param topic existing topic
     * @param consumer whose position the reader keeps
     * @param from position at which it begins to read
     * @return the reader, at that position
     */
    default TopicReader openReader(String topic, String consumer, StartPosition from) {
        return beginReader(topic, consumer, from).open();
    }

    /**
     * Opens a consumer at its stored position. May block.
     *
     * @param topic existing topic
     * @param consumer whose position the reader continues and keeps
     * @return the reader, at its consumer's position
     */
    default TopicReader openReader(String topic, String consumer) {
        return openReader(topic, consumer, StartPosition.stored());
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
     * {@return whether {@link #doWork} and polls have to be called every few milliseconds while nothing is sent here} A
     * transport may answer false if other threads of this process can poll a frame as soon as its flush has returned, and
     * if a poll finds whatever was flushed before. An idle loop that is woken for all its messages then has about ten turns
     * a second.
     */
    default boolean needsTurns() {
        return true;
    }

    /**
     * {@return whether {@link #await} ends as soon as {@link #doWork} or a poll has something to do, also if another process
     * caused it} An idle loop with this connection alone then waits in it, as if it {@linkplain #needsTurns needed no turns}.
     */
    default boolean awaitsNews() {
        return false;
    }

    /** Ends an {@link #await} in progress, if the transport does not wait by parking the thread. Thread-safe. */
    default void wake() {}

    /**
     * Flushes, stores positions and releases everything opened here. Idempotent. {@link Transport} states how long it may block.
     */
    @Override
    void close();
}
