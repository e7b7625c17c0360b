package dev.baton.aeron.ipc;

import dev.baton.spi.Connection;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.support.ThreadConfinement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.agrona.CloseHelper;

/** A connection of one thread, with the writers and readers that it has opened. Confined to the thread that connected. */
final class AeronConnection extends ThreadConfinement implements Connection {
    private final IpcTopics topics;
    private final Set<StreamWriter> writers = new LinkedHashSet<>();
    private final Set<AeronReader> readers = new LinkedHashSet<>();

    AeronConnection(IpcTopics topics) {
        super("this connection to the aeron transport");
        this.topics = topics;
    }

    @Override
    public Opening<TopicWriter> beginWriter(String topic, String topology) {
        return Opening.atOnce(() -> {
            check();
            StreamWriter writer = topics.openWriter(topic, topology, writers::remove);
            writers.add(writer);
            return writer;
        });
    }

    @Override
    public Opening<TopicReader> beginReader(String topic, String consumer, StartPosition from) {
        check();
        from.requireIn("aeron", Set.of(StartPosition.Kind.STORED));
        return new ReaderOpening(topic, consumer);
    }

    private AeronReader open(IpcTopics.Place place) {
        check();
        AeronReader reader = topics.open(place, readers::remove);
        readers.add(reader);
        return reader;
    }

    /** Returns false: any thread of this process can poll a flushed frame at once. */
    @Override
    public boolean needsTurns() {
        return false;
    }

    @Override
    public void close() {
        if (release()) {
            List<AutoCloseable> opened = new ArrayList<>(writers);
            opened.addAll(readers);
            try {
                CloseHelper.closeAll(opened);
            } finally {
                topics.disconnected();
            }
        }
    }

    /**
     * The opening of a reader. Any thread may await the driver's answer to the subscription before the reader is opened on its
     * loop. Its steps are called one after the other.
     */
    private final class ReaderOpening implements Opening<TopicReader> {
        private final String topic;
        private final String consumer;
        private IpcTopics.Place place; // null while there is none

        ReaderOpening(String topic, String consumer) {
            this.topic = topic;
            this.consumer = consumer;
        }

        @Override
        public void prepare() {
            place = topics.take(topic, consumer);
        }

        @Override
        public TopicReader finish() {
            try {
                return AeronConnection.this.open(place);
            } catch (RuntimeException failed) {
                withdraw();
                throw failed;
            }
        }

        @Override
        public void withdraw() {
            IpcTopics.Place taken = place;
            place = null;
            if (taken != null) {
                topics.leave(taken);
            }
        }
    }
}
