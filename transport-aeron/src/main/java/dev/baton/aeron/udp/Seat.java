package dev.baton.aeron.udp;

import dev.baton.spi.Incarnation;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.SequenceRanges;

/**
 * The place of one reader in a topic, which the topic's writer keeps: in this process, or in another one, to which it sends
 * requests. Used by the reader's thread.
 */
interface Seat {
    /**
     * The answer to an open: the stream that has the topic's frames, and the position at which the consumer begins.
     *
     * @param identity of the topic
     * @param stream id of its stream
     * @param session of its publication
     * @param start sequence behind which the consumer begins
     * @param newest sequence of the newest frame
     */
    record Joined(long identity, int stream, int session, long start, long newest) {}

    /**
     * The writers of a topic whose frames it may still have.
     *
     * @param count number of writers that the topic ever had
     * @param ranges their frames
     */
    record Writers(int count, SequenceRanges<Incarnation> ranges) {}

    String topic();

    String consumer();

    /** Returns the answer to the open. */
    Joined joined();

    /** Returns the sequence of the topic's newest frame, as far as is known here. */
    long newest();

    /** Returns the topic's writers, as far as they are known here. */
    Writers writers();

    /**
     * Gives the seat a turn, in which it may report positions.
     *
     * @param now by {@link System#nanoTime}
     * @return work count
     */
    int work(long now, long acknowledged, long read);

    /** Reports an acknowledged position, at once or with the next turns. */
    void acknowledged(long acknowledged, long read);

    /** Asks the topic to send again what follows a sequence. */
    void missing(long acknowledged, long read);

    /** Returns null, or why the reader can read no more. */
    TransportException failure();

    /**
     * Leaves the topic, or begins to. Any thread, one at a time.
     *
     * @return whether the topic knows, or will not in time; false: call again
     */
    boolean tryLeave(long acknowledged);
}
