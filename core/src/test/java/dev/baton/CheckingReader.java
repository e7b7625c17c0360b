package dev.baton;

import dev.baton.spi.FrameHandler;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TransportException;

/** A reader of a {@link CheckingConnection}. Any thread, as it checks that. */
final class CheckingReader implements TopicReader {
    final TopicReader reader;
    private final CheckingConnection connection;
    private final String topic;
    private volatile boolean isClosing;
    private volatile boolean isClosed;

    CheckingReader(CheckingConnection connection, String topic, TopicReader reader) {
        this.connection = connection;
        this.topic = topic;
        this.reader = reader;
    }

    private TopicReader checked(String call) {
        String what = call + " of a reader of topic '" + topic + "'";
        connection.check(what);
        if (isClosed || isClosing) {
            Misuses.found(what + " after its close, or during it");
        }
        return reader;
    }

    @Override
    public int poll(FrameHandler handler, int limit) {
        return checked("poll").poll(handler, limit);
    }

    @Override
    public void acknowledge(long position) {
        checked("acknowledge").acknowledge(position);
    }

    @Override
    public TransportException failure() {
        return checked("failure").failure();
    }

    @Override
    public long sequenceAtOpen() {
        return checked("sequenceAtOpen").sequenceAtOpen();
    }

    @Override
    public long identity() {
        return checked("identity").identity();
    }

    @Override
    public Incarnation writer() {
        return checked("writer").writer();
    }

    @Override
    public long newestAtOpen() {
        return checked("newestAtOpen").newestAtOpen();
    }

    @Override
    public long backlog() {
        return checked("backlog").backlog();
    }

    @Override
    public boolean skipUnreadable() {
        return checked("skipUnreadable").skipUnreadable();
    }

    @Override
    public byte[] unreadableBytes() {
        return checked("unreadableBytes").unreadableBytes();
    }

    @Override
    public void abandon() {
        connection.checkClose("abandon of a reader of topic '" + topic + "'");
        isClosed = true;
        reader.abandon();
    }

    @Override
    public boolean tryClose() {
        connection.checkClose("tryClose of a reader of topic '" + topic + "'");
        isClosing = true;
        isClosed |= reader.tryClose();
        return isClosed;
    }

    @Override
    public void close() {
        connection.checkClose("close of a reader of topic '" + topic + "'");
        isClosed = true;
        reader.close();
    }
}
