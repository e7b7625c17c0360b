package dev.baton.broken.heap;

import dev.baton.spi.Connection;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.util.ArrayList;
import java.util.List;

/** What one thread has opened of a {@link HeapTransport}. Confined to the thread that connected. */
public class HeapConnection extends Confined implements Connection {
    /** The opening of a writer in one step. Confined to the thread that connected. */
    private final class WriterOpening implements Opening<TopicWriter> {
        private final String topic;
        private final String topology;
        private TopicWriter writer;

        WriterOpening(String topic, String topology) {
            this.topic = topic;
            this.topology = topology;
        }

        @Override
        public boolean isAtOnce() {
            return true;
        }

        @Override
        public void prepare() {}

        @Override
        public TopicWriter finish() {
            writer = openWriter(topic, topology);
            return writer;
        }

        @Override
        public void requireNewest() {
            if (writer instanceof HeapWriter opened) {
                opened.requireNewest();
            }
        }

        @Override
        public void withdraw() {}
    }

    public final List<Confined> opened = new ArrayList<>();
    public final HeapTransport transport;

    public HeapConnection(HeapTransport transport) {
        super("this connection to the transport in the heap");
        this.transport = transport;
    }

    @Override
    public Opening<TopicWriter> beginWriter(String topic, String topology) {
        return new WriterOpening(topic, topology);
    }

    @Override
    public TopicWriter openWriter(String topic, String topology) {
        check();
        HeapWriter writer = transport.newWriter(transport.topic(topic), topology);
        opened.add(writer);
        return writer;
    }

    @Override
    public Opening<TopicReader> beginReader(String topic, String consumer, StartPosition from) {
        return Opening.atOnce(() -> openReader(topic, consumer, from));
    }

    @Override
    public TopicReader openReader(String topic, String consumer, StartPosition from) {
        check();
        from.requireIn(transport.name(), transport.startPositions());
        if (!from.isStored()) {
            transport.topic(topic).move(consumer, from);
        }
        HeapReader reader = transport.newReader(transport.topic(topic), consumer);
        opened.add(reader);
        return reader;
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
