package dev.baton.engine.writing;

import dev.baton.spi.ConsumerLag;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;

/** A decorator of another writer, to which it passes all calls. Confined to the thread of the other writer. */
public abstract class WriterInFront implements TopicWriter {
    public final TopicWriter writer;

    public WriterInFront(TopicWriter writer) {
        this.writer = writer;
    }

    @Override
    public Frame claim(int maxLength) {
        return writer.claim(maxLength);
    }

    @Override
    public long commit(int length) {
        return writer.commit(length);
    }

    @Override
    public void abort() {
        writer.abort();
    }

    @Override
    public void rewind(long sequence) {
        writer.rewind(sequence);
    }

    @Override
    public void flush() {
        writer.flush();
    }

    @Override
    public void flush(TopicReader answered, long position) {
        writer.flush(answered, position);
    }

    @Override
    public int remainingCapacity() {
        return writer.remainingCapacity();
    }

    @Override
    public int remainingCapacity(int maxLength) {
        return writer.remainingCapacity(maxLength);
    }

    @Override
    public int capacity() {
        return writer.capacity();
    }

    @Override
    public ConsumerLag slowestConsumer() {
        return writer.slowestConsumer();
    }

    @Override
    public long sequence() {
        return writer.sequence();
    }

    @Override
    public long storedSequence() {
        return writer.storedSequence();
    }

    @Override
    public TransportException failure() {
        return writer.failure();
    }

    @Override
    public TopicEnd found() {
        return writer.found();
    }

    @Override
    public void answers(InputRef input) {
        writer.answers(input);
    }

    @Override
    public Incarnation incarnation() {
        return writer.incarnation();
    }

    @Override
    public void close() {
        writer.close();
    }
}
