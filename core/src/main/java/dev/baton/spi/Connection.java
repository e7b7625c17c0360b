package dev.baton.spi;

import java.util.concurrent.locks.LockSupport;

/**
 * One thread's access to a transport: a loop that serves 200 topics has one connection, not 200.
 *
 * <p>Everything opened here is used by the thread that called {@link Transport#connect} and no other, with two
 * exceptions: {@link #wake} may be called by any thread, and {@link #close} by another thread once the first has
 * stopped using the connection for good.
 */
public interface Connection extends AutoCloseable {
    /**
     * Opens the topic's one writer and recovers where an earlier one left off. May block.
     *
     * @throws TransportException when the topic does not exist or, where the transport can tell, has a live writer
     */
    TopicWriter openWriter(String topic);

    /**
     * Opens a named consumer at the frame after the last one it acknowledged; a consumer seen for the first time starts
     * at the oldest frame that the topic still holds. May block.
     *
     * @throws TransportException when the topic does not exist, or this consumer has a live reader and the transport can
     *     tell
     */
    TopicReader openReader(String topic, String consumer);

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

    /** Ends an {@link #await} in progress, if the transport waits otherwise than by parking the thread. Thread-safe. */
    default void wake() {}

    /** Flushes, stores positions and releases everything opened here, within a stated time. Idempotent. */
    @Override
    void close();
}
