package dev.baton.aeron;

import dev.baton.spi.Connection;
import dev.baton.spi.Opening;
import dev.baton.spi.ThreadConfinement;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.agrona.CloseHelper;

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
    public TopicReader openReader(String topic, String consumer) {
        check();
        AeronTransport.Place place = transport.take(topic, consumer);
        try {
            return open(place);
        } catch (RuntimeException failed) {
            transport.leave(place);
            throw failed;
        }
    }

    /** An embedded driver answers within the turn that asks it. */
    @Override
    public Opening<TopicReader> beginReader(String topic, String consumer) {
        check();
        return transport.isExternal()
                ? new ReaderOpening(transport, topic, consumer, this::open)
                : Opening.atOnce(() -> openReader(topic, consumer));
    }

    private AeronReader open(AeronTransport.Place place) {
        check();
        AeronReader reader = transport.open(place, readers::remove);
        readers.add(reader);
        return reader;
    }

    @Override
    public int doWork() {
        transport.work();
        return 0;
    }

    /** The driver has ten turns a second from each idle loop, which its timeouts allow for. */
    @Override
    public boolean needsTurns() {
        return false;
    }

    @Override
    public void await(long nanos) {
        if (transport.isExternal()) {
            RunningDriver.await(nanos);
        } else {
            Connection.super.await(nanos);
        }
    }

    @Override
    public void close() {
        if (release()) {
            List<AutoCloseable> opened = new ArrayList<>(writers);
            opened.addAll(readers);
            try {
                CloseHelper.closeAll(opened);
            } finally {
                transport.disconnected();
            }
        }
    }
}
