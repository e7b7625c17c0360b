package dev.baton.test;

import dev.baton.spi.Connection;
import dev.baton.spi.StartPosition;
import dev.baton.spi.ThreadConfinement;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.TransportException;
import java.util.ArrayList;
import java.util.List;

/** One thread's access to topics in memory. Confined to that thread. */
final class MemoryConnection extends ThreadConfinement implements Connection {
    final MemoryTransport transport;
    private final List<MemoryWriter> writers = new ArrayList<>();
    private final List<MemoryReader> readers = new ArrayList<>();

    MemoryConnection(MemoryTransport transport) {
        super("this connection to the memory transport");
        this.transport = transport;
    }

    private void use(String what) {
        check();
        if (transport.isDead()) {
            throw dead();
        }
        transport.fate.step(transport, what);
    }

    /** What a thread gets that goes on in a process that was killed. */
    static TransportException dead() {
        return new TransportException("the process of this transport was killed");
    }

    @Override
    public TopicWriter openWriter(String topic, String topology) {
        use("open writer");
        MemoryWriter writer = new MemoryWriter(this, transport.storage.topic(topic), topology);
        writers.add(writer);
        return writer;
    }

    @Override
    public TopicReader openReader(String topic, String consumer) {
        use("open reader");
        MemoryReader reader = new MemoryReader(this, transport.storage.topic(topic), consumer);
        readers.add(reader);
        return reader;
    }

    @Override
    public TopicReader openReader(String topic, String consumer, StartPosition from) {
        use("move consumer");
        from.requireIn(transport.name(), transport.startPositions());
        transport.storage.topic(topic).move(consumer, from);
        return openReader(topic, consumer);
    }

    /** Frames that are on their way count as work until they are stored. */
    @Override
    public int doWork() {
        use("turn");
        int onTheirWay = 0;
        for (MemoryWriter writer : writers) {
            onTheirWay += writer.arrive();
        }
        return onTheirWay;
    }

    @Override
    public void adopt() {
        moveHere();
        writers.forEach(ThreadConfinement::moveHere);
        readers.forEach(ThreadConfinement::moveHere);
    }

    void killed() {
        writers.forEach(MemoryWriter::killed);
        readers.forEach(MemoryReader::killed);
    }

    void closed(MemoryWriter writer) {
        writers.remove(writer);
    }

    void closed(MemoryReader reader) {
        readers.remove(reader);
    }

    @Override
    public void close() {
        if (release() && !transport.isDead()) {
            List.copyOf(writers).forEach(MemoryWriter::end);
            List.copyOf(readers).forEach(MemoryReader::end);
            transport.closed(this);
        }
    }
}
