package dev.baton.kafka.connection;

import dev.baton.kafka.KafkaOptions;
import dev.baton.kafka.read.KafkaReader;
import dev.baton.kafka.read.ReaderStart;
import dev.baton.kafka.read.RecordFetcher;
import dev.baton.kafka.read.StartSearch;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import org.apache.kafka.common.TopicPartition;

/**
 * The opening of a consumer's reader: finds its start position and stores its claim there, then joins the connection's
 * consumer. A claim of another process that is stored between the two steps is found before this reader stores
 * anything. Used once.
 */
final class KafkaReaderOpening implements Opening<TopicReader> {
    private final KafkaConnection connection;
    private final TransportContext context;
    private final String topic;
    private final TopicPartition partition;
    private final String consumer;
    private final StartPosition from;
    private KafkaReader reader; // of what is prepared, as the fetcher
    private RecordFetcher fetcher;

    KafkaReaderOpening(
            KafkaConnection connection, TransportContext context, String topic, String consumer, StartPosition from) {
        this.from = from;
        this.connection = connection;
        this.context = context;
        this.topic = topic;
        this.partition = TopicNames.partitionOf(topic);
        this.consumer = consumer;
    }

    @Override
    public void prepare() {
        context.liveReaders().reserve(partition, consumer, connection);
        try {
            ReaderStart start = new StartSearch(
                            context.cluster(),
                            context.topics(),
                            context.scanner(),
                            context.consumerGroups(),
                            topic,
                            consumer,
                            from)
                    .run();
            fetcher = connection.fetcherForReader();
            reader = new KafkaReader(
                    connection,
                    partition,
                    consumer,
                    context.consumerGroups().groupOf(consumer),
                    start,
                    start.position().reader().next(connection.name()),
                    context.options().get(KafkaOptions.READ_AHEAD));
            connection.positions().claim(reader);
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
            fetcher.add(reader);
            return reader;
        } catch (RuntimeException failure) {
            withdraw();
            throw failure;
        }
    }

    @Override
    public void withdraw() {
        context.liveReaders().free(partition, consumer, connection);
    }
}
