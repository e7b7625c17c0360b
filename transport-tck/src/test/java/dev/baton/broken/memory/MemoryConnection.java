package dev.baton.broken.memory;

import dev.baton.spi.Connection;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.util.ArrayList;
import java.util.List;

/** What one thread has opened of a {@link MemoryTransport}. Confined to the thread that connected. */
public class MemoryConnection extends Confined implements Connection {
    public final List<Confined> opened = new ArrayList<>();
    public final MemoryTransport transport;

    public MemoryConnection(MemoryTransport transport) {
        super("this connection to the memory transport");
        this.transport = transport;
    }

    @Override
    public TopicWriter openWriter(String topic, String topology) {
        check();
        MemoryWriter writer = transport.newWriter(transport.topic(topic), topology);
        opened.add(writer);
        return writer;
    }

    @Override
    public TopicReader openReader(String topic, String consumer) {
        check();
        MemoryReader reader = transport.newReader(transport.topic(topic), consumer);
        opened.add(reader);
        return reader;
    }

    @Override
    public TopicReader openReader(String topic, String consumer, StartPosition from) {
        check();
        from.requireIn(transport.name(), transport.startPositions());
        transport.topic(topic).move(consumer, from);
        return openReader(topic, consumer);
    }

    @Override
    public boolean needsTurns() {
        return false;
    }

    @Override
    public void close() {
        if (disown()) {
            opened.forEach(Confined::close);
        }
    }
}
