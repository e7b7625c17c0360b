package dev.baton.kafka;

import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import org.apache.kafka.common.TopicPartition;

/**
 * The opening of a consumer's reader: finds where it goes on and stores its claim there, then joins the connection's
 * consumer. A claim of another process that is stored between the steps is met before this reader stores anything. Used
 * once.
 */
final class ReaderOpening implements Opening<TopicReader> {
    private final KafkaConnection connection;
    private final KafkaTransport transport;
    private final KafkaOptions options;
    private final String topic;
    private final TopicPartition partition;
    private final String consumer;
    private final StartPosition from; // null: where the consumer left off
    private KafkaReader reader; // of what is prepared, as the inbox
    private Inbox inbox;

    ReaderOpening(
            KafkaConnection connection,
            KafkaTransport transport,
            KafkaOptions options,
            String topic,
            String consumer,
            StartPosition from) {
        this.from = from;
        this.connection = connection;
        this.transport = transport;
        this.options = options;
        this.topic = topic;
        this.partition = Topics.partitionOf(topic);
        this.consumer = consumer;
    }

    @Override
    public void prepare() {
        transport.liveReaders().reserve(partition, consumer, connection);
        try {
            Positions positions = connection.positions();
            StartSearch search = new StartSearch(transport, positions, topic, consumer, from);
            StoredPosition start = search.run();
            inbox = connection.inboxForReader();
            reader = new KafkaReader(
                    connection,
                    partition,
                    consumer,
                    start,
                    start.reader().next(connection.name()),
                    search.owner(),
                    options.read().readAhead());
            positions.claim(reader, transport.cluster().deadline());
        } catch (RuntimeException failure) {
            withdraw();
            throw failure;
        }
    }

    @Override
    public TopicReader finish() {
        try {
            connection.check();
            connection.opened(reader);
            inbox.add(reader);
            return reader;
        } catch (RuntimeException failure) {
            withdraw();
            throw failure;
        }
    }

    @Override
    public void withdraw() {
        transport.liveReaders().free(partition, consumer, connection);
    }
}
