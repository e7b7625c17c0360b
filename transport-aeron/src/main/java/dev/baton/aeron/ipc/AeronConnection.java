package dev.baton.aeron.ipc;

import dev.baton.aeron.driver.DriverClient;
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

/** What one thread has opened of an {@link IpcTopics}. Confined to the thread that connected. */
final class AeronConnection extends ThreadConfinement implements Connection {
    private final IpcTopics topics;
    private final Set<AeronWriter> writers = new LinkedHashSet<>();
    private final Set<AeronReader> readers = new LinkedHashSet<>();

    AeronConnection(IpcTopics topics) {
        super("this connection to the aeron transport");
        this.topics = topics;
    }

    @Override
    public TopicWriter openWriter(String topic, String topology) {
        check();
        AeronWriter writer = AeronWriter.open(topics, topics.topic(topic), topology, writers::remove);
        writers.add(writer);
        return writer;
    }

    @Override
    public TopicReader openReader(String topic, String consumer) {
        check();
        IpcTopics.Place place = topics.take(topic, consumer);
        try {
            return open(place);
        } catch (RuntimeException failed) {
            topics.leave(place);
            throw failed;
        }
    }

    /** An embedded driver answers within the turn that asks it. */
    @Override
    public Opening<TopicReader> beginReader(String topic, String consumer) {
        check();
        return topics.isExternal()
                ? new ReaderOpening(topic, consumer)
                : Opening.atOnce(() -> openReader(topic, consumer));
    }

    private AeronReader open(IpcTopics.Place place) {
        check();
        AeronReader reader = topics.open(place, readers::remove);
        readers.add(reader);
        return reader;
    }

    @Override
    public int doWork() {
        topics.work();
        return 0;
    }

    /** The driver has ten turns a second from each idle loop, which its timeouts allow for. */
    @Override
    public boolean needsTurns() {
        return false;
    }

    @Override
    public void await(long nanos) {
        if (topics.isExternal()) {
            DriverClient.await(nanos);
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
                topics.disconnected();
            }
        }
    }

    /**
     * A reader whose subscription the driver takes a while to answer: any thread waits for it, before the reader is opened. Its steps are
     * taken one after the other.
     */
    private final class ReaderOpening implements Opening<TopicReader> {
        private final String topic;
        private final String consumer;
        private IpcTopics.Place place; // null: not taken

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
                return open(place);
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
