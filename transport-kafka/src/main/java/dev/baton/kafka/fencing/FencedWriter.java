package dev.baton.kafka.fencing;

import dev.baton.spi.Incarnation;
import dev.baton.spi.errors.TransportException;
import org.apache.kafka.common.TopicPartition;

/** A writer that ends when a newer one has begun in its topic. Each method may be called by any thread. */
public interface FencedWriter {
    String topic();

    TopicPartition partition();

    Incarnation incarnation();

    /** {@return which of its frames are stored and count} */
    StoredFrames stored();

    /** {@return the sequence of the newest frame that the service has flushed} */
    long flushedSequence();

    /** {@return the frames that are stored and those that are not, for a message: a sentence that ends with a blank} */
    String account();

    /** {@return whether it is closed and none of its frames is in flight} */
    boolean isOver();

    boolean hasFailed();

    /** Has the records read that lie between or behind its frames. */
    void checkGap();

    /** Wakes its loop, as there may be room for further frames. */
    void wake();

    /** Stops sending, as a newer writer was found; {@link #ended} follows. */
    void suspend();

    /** Ends the writer, and no other one. */
    void ended(TransportException why);

    /** Ends the writer, as a frame was not stored. */
    void failed(Exception why);
}
