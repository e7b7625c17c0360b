package dev.baton.engine.writing;

import dev.baton.ConfigurationException;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.TopicWriter;

/**
 * The writer at the end of a chain, where there is no next topic: nothing can be claimed, and everything counts as stored. Stateless,
 * thread-safe.
 */
public final class NoOutput implements TopicWriter {
    @Override
    public int remainingCapacity() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int capacity() {
        return Integer.MAX_VALUE;
    }

    @Override
    public Frame claim(int maxLength) {
        throw new ConfigurationException("the sink has no topic to write to");
    }

    @Override
    public long commit(int length) {
        throw new ConfigurationException("the sink has no topic to write to");
    }

    @Override
    public void abort() {}

    @Override
    public void flush() {}

    @Override
    public void rewind(long sequence) {}

    @Override
    public long sequence() {
        return 0;
    }

    @Override
    public long storedSequence() {
        return 0;
    }

    @Override
    public TopicEnd found() {
        return TopicEnd.EMPTY;
    }

    @Override
    public void close() {}
}
