package dev.baton.lab.trial;

import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Incarnation;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicReader.TopicStart;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import dev.baton.test.MemoryTransport;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The test kit's transport, whose readers lose or alter one frame of the first topic on request. Thread-safe. */
final class LossyTransport implements Transport {
    /** The topics that were not deleted before a close. */
    static final Set<String> LEFT_BEHIND = ConcurrentHashMap.newKeySet();

    private static final int MAX_PAYLOAD = 1024;

    private final Transport transport = MemoryTransport.create(MAX_PAYLOAD);
    private final int lose;
    private final int alter;

    LossyTransport(int lose, int alter) {
        this.lose = lose;
        this.alter = alter;
    }

    @Override
    public String name() {
        return transport.name();
    }

    @Override
    public Set<Guarantee> guarantees() {
        return transport.guarantees();
    }

    @Override
    public int maxPayload() {
        return transport.maxPayload();
    }

    @Override
    public Map<String, String> properties() {
        return transport.properties();
    }

    @Override
    public Connection connect() {
        return new LossyConnection(transport.connect());
    }

    @Override
    public Set<String> createTopics(Collection<String> names) {
        return transport.createTopics(names);
    }

    @Override
    public Set<String> topics() {
        return transport.topics();
    }

    @Override
    public void deleteTopics(Collection<String> names) {
        transport.deleteTopics(names);
    }

    @Override
    public void close() {
        LEFT_BEHIND.addAll(transport.topics());
        transport.close();
    }

    private final class LossyConnection implements Connection {
        private final Connection connection;

        LossyConnection(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Opening<TopicWriter> beginWriter(String topic, String topology) {
            return connection.beginWriter(topic, topology);
        }

        @Override
        public Opening<TopicReader> beginReader(String topic, String consumer, StartPosition from) {
            return Opening.atOnce(() -> {
                TopicReader reader = connection.openReader(topic, consumer, from);
                return topic.endsWith("-0") ? new LossyReader(reader) : reader;
            });
        }

        @Override
        public int doWork() {
            return connection.doWork();
        }

        @Override
        public void close() {
            connection.close();
        }
    }

    private final class LossyReader implements TopicReader {
        private final TopicReader reader;

        LossyReader(TopicReader reader) {
            this.reader = reader;
        }

        @Override
        public int poll(FrameHandler handler, int limit) {
            return reader.poll(
                    new FrameHandler() {
                        @Override
                        public Verdict onFrame(Frame frame, long position) {
                            if (frame.sequence() == lose) {
                                return Verdict.DONE;
                            }
                            if (frame.sequence() == alter) {
                                frame.putByte(0, (byte) (frame.getByte(0) + 1));
                            }
                            return handler.onFrame(frame, position);
                        }

                        @Override
                        public void onWriter(Incarnation writer) {
                            handler.onWriter(writer);
                        }
                    },
                    limit);
        }

        @Override
        public void acknowledge(long position) {
            reader.acknowledge(position);
        }

        @Override
        public TopicStart found() {
            return reader.found();
        }

        @Override
        public Incarnation writer() {
            return reader.writer();
        }

        @Override
        public long backlog() {
            return reader.backlog();
        }

        @Override
        public void close() {
            reader.close();
        }
    }
}
