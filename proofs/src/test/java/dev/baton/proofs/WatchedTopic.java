package dev.baton.proofs;

import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A connection and its one writer, without any synchronization, that detect misuse: two threads at once, or a use after the close.
 * Confined, like every connection, to a thread at a time.
 */
public final class WatchedTopic implements Connection, TopicWriter {
    private final Frame frame =
            new Frame().wrap(ByteBuffer.allocate(128).order(ByteOrder.LITTLE_ENDIAN), 0, Long.BYTES);

    private long sequence;
    private boolean isInUse;
    private boolean isClosed;
    private boolean isMisused;

    /** {@return whether it was used by two at once, or after its close} To be called when all users have finished. */
    public boolean isMisused() {
        return isMisused;
    }

    /** {@return the payload of the newest frame, 0 for none} */
    public long payload() {
        return frame.getLong(0);
    }

    @Override
    public Opening<TopicWriter> beginWriter(String topic, String topology) {
        used();
        return Opening.atOnce(() -> this);
    }

    @Override
    public Frame claim(int maxLength) {
        used();
        return frame;
    }

    @Override
    public long commit(int length) {
        used();
        return ++sequence;
    }

    @Override
    public void abort() {
        used();
    }

    @Override
    public void flush() {
        used();
    }

    @Override
    public int doWork() {
        used();
        return 0;
    }

    @Override
    public long sequence() {
        return sequence;
    }

    @Override
    public long storedSequence() {
        return sequence;
    }

    @Override
    public void close() {
        if (!isClosed) {
            used();
            isClosed = true;
        }
    }

    @Override
    public int remainingCapacity() {
        return 1;
    }

    @Override
    public int capacity() {
        return 1;
    }

    @Override
    public void rewind(long target) {
        throw new UnsupportedOperationException("nothing is taken back here");
    }

    @Override
    public TopicEnd found() {
        return TopicEnd.EMPTY;
    }

    @Override
    public Opening<TopicReader> beginReader(String topic, String consumer, StartPosition from) {
        throw new UnsupportedOperationException("nothing is read here");
    }

    private void used() {
        if (isInUse || isClosed) {
            isMisused = true;
        }
        isInUse = true;
        Thread.onSpinWait();
        isInUse = false;
    }
}
