package dev.baton.disruptor;

import dev.baton.spi.Connection;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.support.ThreadConfinement;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The connection of one thread, with its open writers and readers. Confined to the thread that connected. */
final class RingConnection extends ThreadConfinement implements Connection {
    private final DisruptorTransport transport;
    private final Publications publications = new Publications();
    private final Set<RingWriter> writers = new LinkedHashSet<>();
    private final Set<RingReader> readers = new LinkedHashSet<>();

    RingConnection(DisruptorTransport transport) {
        super("this connection to the disruptor transport");
        this.transport = transport;
    }

    @Override
    public Opening<TopicWriter> beginWriter(String topic, String topology) {
        return Opening.atOnce(() -> {
            check();
            RingWriter writer = new RingWriter(transport.ring(topic), topology, publications, writers::remove);
            writers.add(writer);
            return writer;
        });
    }

    @Override
    public Opening<TopicReader> beginReader(String topic, String consumer, StartPosition from) {
        return Opening.atOnce(() -> {
            check();
            from.requireIn(transport.name(), transport.startPositions());
            RingReader reader = new RingReader(transport.ring(topic), consumer, from, readers::remove);
            readers.add(reader);
            return reader;
        });
    }

    @Override
    public boolean needsTurns() {
        return false;
    }

    @Override
    public void close() {
        if (release()) {
            List.copyOf(writers).forEach(RingWriter::close);
            List.copyOf(readers).forEach(RingReader::close);
        }
    }
}
