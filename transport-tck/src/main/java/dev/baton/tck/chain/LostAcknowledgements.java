package dev.baton.tck.chain;

import dev.baton.spi.Connection;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Incarnation;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicReader.TopicStart;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import java.util.Collection;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A transport whose readers lose their acknowledgements from some point on, as after a kill before they are stored. Everything else is
 * delegated. As thread-safe as the delegate.
 */
final class LostAcknowledgements implements Transport {
    private final Transport transport;
    private final Random random; // guarded by itself
    private final int most;

    /**
     * Creates a transport in front of another one.
     *
     * @param most maximum number of acknowledgements of a reader that are remembered
     */
    LostAcknowledgements(Transport transport, Random random, int most) {
        this.transport = transport;
        this.random = random;
        this.most = most;
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
    public void close() {}

    @Override
    public Connection connect() {
        return new LosingConnection(transport.connect());
    }

    private int remembered() {
        synchronized (random) {
            return random.nextInt(most + 1);
        }
    }

    private final class LosingConnection implements Connection {
        private final Connection connection;

        LosingConnection(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Opening<TopicWriter> beginWriter(String topic, String topology) {
            return connection.beginWriter(topic, topology);
        }

        @Override
        public Opening<TopicReader> beginReader(String topic, String consumer, StartPosition from) {
            Opening<TopicReader> opening = connection.beginReader(topic, consumer, from);
            return new Opening<>() {
                @Override
                public void prepare() {
                    opening.prepare();
                }

                @Override
                public TopicReader finish() {
                    return new LosingReader(opening.finish(), remembered());
                }

                @Override
                public void withdraw() {
                    opening.withdraw();
                }
            };
        }

        @Override
        public int doWork() {
            return connection.doWork();
        }

        @Override
        public void await(long nanos) {
            connection.await(nanos);
        }

        @Override
        public void wake() {
            connection.wake();
        }

        @Override
        public void close() {
            connection.close();
        }
    }

    private static final class LosingReader implements TopicReader {
        private final TopicReader reader;
        private int remembered;

        LosingReader(TopicReader reader, int remembered) {
            this.reader = reader;
            this.remembered = remembered;
        }

        @Override
        public void acknowledge(long position) {
            if (remembered > 0) {
                remembered--;
                reader.acknowledge(position);
            }
        }

        @Override
        public int poll(FrameHandler handler, int limit) {
            return reader.poll(handler, limit);
        }

        @Override
        public TransportException failure() {
            return reader.failure();
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
        public boolean skipUnreadable() {
            return reader.skipUnreadable();
        }

        @Override
        public void abandon() {
            reader.abandon();
        }

        @Override
        public boolean tryClose() {
            return reader.tryClose();
        }

        @Override
        public void close() {
            reader.close();
        }
    }
}
