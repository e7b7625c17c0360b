package dev.baton.aeron.ipc;

import dev.baton.spi.ConsumerLag;
import dev.baton.spi.InputRef;
import dev.baton.spi.errors.TransportException;
import java.nio.ByteBuffer;

/** The state of a topic that its writer keeps beside the log. Confined to the writer's thread. */
public interface TopicLog {
    /** Returns the log position of the first fragment that some consumer needs. */
    long heldFrom();

    /**
     * Gives the writer the room that its readers have acknowledged. Allocates nothing and does not wait for another thread,
     * which may be creating topics.
     *
     * @return the log position up to which room was given; -1 when another thread runs the driver: try again
     */
    long giveRoom();

    /**
     * Notes the frames that were written to the log.
     *
     * @param sequence of the newest one
     * @param end log position behind it
     * @param memory that has the newest one
     * @param frame its index there
     * @param payload bytes behind its header
     * @throws TransportException when another writer has taken the topic over
     */
    void published(long sequence, long end, ByteBuffer memory, int frame, int payload);

    /** Returns the consumer that is furthest behind; null when none is. */
    ConsumerLag slowestConsumer();

    /** Notes that frames answer an input from a sequence on. */
    void answers(long sequence, InputRef input);

    /** Releases the topic for another writer. */
    void closeWriter();

    /** Returns whether the log can still be written, as far as is known. */
    default boolean isUsable() {
        return true;
    }

    /**
     * Returns the reason for a refusal by Aeron.
     *
     * @param answer the reason if the client of the media driver is not lost
     */
    default String refusal(String answer) {
        return answer;
    }
}
