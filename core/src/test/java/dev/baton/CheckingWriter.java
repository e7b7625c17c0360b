package dev.baton;

import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.TransportException;

/** A writer of a {@link CheckingConnection}. Any thread, as it checks that. */
final class CheckingWriter extends WriterInFront {
    private final CheckingConnection connection;
    private final String topic;
    private volatile boolean isClosed;

    CheckingWriter(CheckingConnection connection, String topic, TopicWriter writer) {
        super(writer);
        this.connection = connection;
        this.topic = topic;
    }

    private TopicWriter checked(String call) {
        String what = call + " of the writer of topic '" + topic + "'";
        connection.check(what);
        if (isClosed) {
            Misuses.found(what + " after its close");
        }
        return writer;
    }

    @Override
    public Frame claim(int maxLength) {
        return checked("claim").claim(maxLength);
    }

    @Override
    public long commit(int length) {
        return checked("commit").commit(length);
    }

    @Override
    public void abort() {
        checked("abort").abort();
    }

    @Override
    public void rewind(long sequence) {
        checked("rewind").rewind(sequence);
    }

    @Override
    public void flush() {
        checked("flush").flush();
    }

    @Override
    public void flush(TopicReader answered, long position) {
        checked("flush").flush(((CheckingReader) answered).reader, position);
    }

    @Override
    public int remainingCapacity() {
        return checked("remainingCapacity").remainingCapacity();
    }

    @Override
    public int remainingCapacity(int maxLength) {
        return checked("remainingCapacity").remainingCapacity(maxLength);
    }

    @Override
    public int capacity() {
        return checked("capacity").capacity();
    }

    @Override
    public long sequence() {
        return checked("sequence").sequence();
    }

    @Override
    public long storedSequence() {
        return checked("storedSequence").storedSequence();
    }

    @Override
    public TransportException failure() {
        return checked("failure").failure();
    }

    @Override
    public long causeAtOpen() {
        return checked("causeAtOpen").causeAtOpen();
    }

    @Override
    public InputRef inputAtOpen() {
        return checked("inputAtOpen").inputAtOpen();
    }

    @Override
    public void answers(InputRef input) {
        checked("answers").answers(input);
    }

    @Override
    public long originAtOpen() {
        return checked("originAtOpen").originAtOpen();
    }

    @Override
    public byte[] mergedAtOpen() {
        return checked("mergedAtOpen").mergedAtOpen();
    }

    @Override
    public byte[] tickAtOpen() {
        return checked("tickAtOpen").tickAtOpen();
    }

    @Override
    public Incarnation predecessor() {
        return checked("predecessor").predecessor();
    }

    @Override
    public Incarnation incarnation() {
        return checked("incarnation").incarnation();
    }

    @Override
    public boolean isCauseAtOpenComplete() {
        return checked("isCauseAtOpenComplete").isCauseAtOpenComplete();
    }

    @Override
    public void close() {
        connection.checkClose("close of the writer of topic '" + topic + "'");
        isClosed = true;
        writer.close();
    }
}
