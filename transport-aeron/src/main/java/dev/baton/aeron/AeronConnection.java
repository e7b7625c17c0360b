package dev.baton.aeron;

import dev.baton.spi.Connection;
import dev.baton.spi.ThreadConfinement;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What one thread has opened of an {@link AeronTransport}. Confined to the thread that connected. */
final class AeronConnection extends ThreadConfinement implements Connection {
    private final AeronTransport transport;
    private final Set<AeronWriter> writers = new LinkedHashSet<>();
    private final Set<AeronReader> readers = new LinkedHashSet<>();

    AeronConnection(AeronTransport transport) {
        super("this connection to the aeron transport");
        this.transport = transport;
    }

    @Override
    public TopicWriter openWriter(String topic, String topology) {
        check();
        AeronWriter writer = AeronWriter.open(transport, transport.topic(topic), topology, writers::remove);
        writers.add(writer);
        return writer;
    }

    @Override
    public TopicReader openReader(String name, String consumer) {
        check();
        AeronReader reader = transport.openReader(name, consumer, readers::remove);
        readers.add(reader);
        return reader;
    }

    @Override
    public void close() {
        if (release()) {
            List.copyOf(writers).forEach(AeronWriter::close);
            List.copyOf(readers).forEach(AeronReader::close);
            transport.disconnected();
        }
    }
}
