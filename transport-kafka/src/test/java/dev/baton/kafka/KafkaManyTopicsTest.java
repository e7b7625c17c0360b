package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Connection;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.TransportFixture;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A loop's connection to Kafka is two clients, however many topics it serves, and its memory is bounded. */
class KafkaManyTopicsTest extends OnBroker {
    @Test
    void sixtyTopicsShareOneProducerAndOneConsumer() {
        KafkaTransport transport = transport();
        int before = TransportFixture.TOPICS.incrementAndGet();
        List<String> names =
                IntStream.range(0, 60).mapToObj(i -> "many-" + before + "-" + i).toList();
        transport.createTopics(names);
        Set<String> threadsBefore = KafkaClients.threads();
        int clientsBefore = clients();
        Connection connection = connect(transport);
        List<TopicProbe> topics =
                names.stream().map(name -> probe(name, connection)).toList();
        topics.forEach(TopicProbe::reader);
        for (int round = 1; round <= 3; round++) {
            for (TopicProbe topic : topics) {
                topic.write(topic.name() + " " + round);
            }
        }

        for (TopicProbe topic : topics) {
            assertThat(topic.take(3)).containsExactly(topic.name() + " 1", topic.name() + " 2", topic.name() + " 3");
        }
        assertThat(clients() - clientsBefore).isEqualTo(2);
        Set<String> threads = KafkaClients.threads();
        threads.removeAll(threadsBefore);
        assertThat(threads).singleElement().asString().startsWith("kafka-producer-network-thread");
    }

    @Test
    void readAheadIsBoundedAndLosesNothing() {
        int frames = 4_000;
        int readAhead = 64 << 10;
        KafkaTransport transport = transport(
                options -> options.with(KafkaOptions.READ_AHEAD, readAhead).with(KafkaOptions.FETCH_SIZE, 16 << 10));
        Connection connection = connect(transport);
        TopicProbe topic = probe(newTopic(transport), connection);
        topic.reader();
        byte[] payload = new byte[200];
        for (int i = 0; i < frames; i++) {
            topic.commit(payload, 0, 0, 0, 0, 0);
            topic.writer().flush();
        }
        topic.awaitStored();
        turns(connection).settle(java.time.Duration.ofMillis(300));

        Recorder waiting = new Recorder();
        topic.reader().poll(waiting, frames); // hands out what is here and receives nothing
        int heapPerFrame = 200 + Frames.HEADER + payload.length;
        assertThat(waiting.count() * heapPerFrame).isBetween(readAhead / 2, readAhead + 2 * 2 * (16 << 10));
        assertThat(topic.read(frames - waiting.count()).sequences())
                .isEqualTo(LongStream.rangeClosed(waiting.count() + 1, frames)
                        .boxed()
                        .toList());
    }

    private static final class Frames {
        static final int HEADER = dev.baton.spi.Frame.HEADER_BYTES;
    }

    private static int clients() {
        return KafkaClients.registered("producer").size()
                + KafkaClients.registered("consumer").size();
    }
}
