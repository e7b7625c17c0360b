package dev.baton.kafka.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.kafka.KafkaOptions;
import dev.baton.kafka.client.ClientSettings;
import dev.baton.kafka.client.Cluster;
import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.log.LogScanner;
import dev.baton.kafka.log.WriterMarker;
import dev.baton.kafka.topics.ConsumerGroups;
import dev.baton.kafka.topics.WatchThread;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.ThreadConfinement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class FrameProducerTest {
    private final MockProducer<byte[], byte[]> mock =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final FrameProducer producer = new FrameProducer(
            mock, KafkaOptions.at("localhost:9092"), new ThreadConfinement("this producer"), () -> {});

    @Test
    void frameLostBehindARefusedOneIsReported() throws InterruptedException {
        TransportException refused = new TransportException("send refused it");
        TransportException lost = new TransportException("the broker never confirmed it");
        producer.failed(refused);
        assertThat(producer.isStopped()).as("others may send").isFalse();
        assertThat(producer.unreportedFailure()).isSameAs(refused);
        producer.reported();
        assertThat(producer.unreportedFailure()).as("reported once").isNull();
        producer.doWork();

        onProducersThread(() -> producer.failed(lost));

        assertThat(producer.isStopped()).isTrue();
        assertThat(mock.closed()).isTrue();
        assertThat(producer.hasNews()).isTrue();
        assertThat(producer.doWork()).isZero();
        assertThat(producer.hasNews())
                .as("after a turn, whether a writer has told or not")
                .isFalse();
        assertThatThrownBy(producer::throwUnreported).isSameAs(lost).hasSuppressedException(refused);
        assertThatCode(producer::throwUnreported).as("reported once").doesNotThrowAnyException();
    }

    @Test
    void interruptBeforeTheMetadataIsATransportException() {
        MockProducer<byte[], byte[]> interrupted =
                new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
                    @Override
                    public List<PartitionInfo> partitionsFor(String topic) {
                        throw new InterruptException(new InterruptedException());
                    }
                };
        FrameProducer opening = new FrameProducer(
                interrupted, KafkaOptions.at("localhost:9092"), new ThreadConfinement("this producer"), () -> {});
        try {
            assertThatThrownBy(() -> opening.prepare("t", Deadline.in(Duration.ofSeconds(1))))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll("'t'", "interrupted");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void topicStaysReservedWhileMarkerMayBeStored() {
        MockProducer<byte[], byte[]> slow =
                new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
        FrameProducer opening = new FrameProducer(
                slow, KafkaOptions.at("localhost:9092"), new ThreadConfinement("this producer"), () -> {});
        CompletableFuture<Void> answered = new CompletableFuture<>();
        LiveWriters writers = new LiveWriters();
        writers.reserve("t");
        assertThatThrownBy(() -> opening.append(
                        new ProducerRecord<>("t", 0, null, new byte[10]), answered, Deadline.in(Duration.ofMillis(1))))
                .hasMessageContaining("was not stored within");
        writers.releaseAfter("t", answered);

        assertThatThrownBy(() -> writers.reserve("t"))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("'t'", "may still be stored");
        slow.completeNext();
        assertThat(writers.reserve("t")).isNull();
    }

    @Test
    void markerThatWasNotSentReservesNoTopic() {
        KafkaOptions options = KafkaOptions.at("localhost:1");
        TransactionalFrameProducer opening = new TransactionalFrameProducer(
                new ClientSettings(options), options, "client", "t", new ThreadConfinement("this producer"), () -> {});
        CompletableFuture<Void> answered = new CompletableFuture<>();
        try {
            assertThatThrownBy(() -> opening.append( // without prepare, so that no transaction can begin
                            new ProducerRecord<>("t", 0, null, new byte[10]),
                            answered,
                            Deadline.in(Duration.ofSeconds(10))))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(answered).isCompleted();
        } finally {
            opening.stop();
        }
    }

    @Test
    void fencingGoesOnWhenNoClientCanBeMade() throws InterruptedException {
        KafkaOptions options =
                KafkaOptions.at("no-such-host.invalid:9092").with(KafkaOptions.RIVAL_INTERVAL, Duration.ofMillis(100));
        ClientSettings settings = new ClientSettings(options);
        CountDownLatch looks = new CountDownLatch(3);
        FrameProducer looking = new FrameProducer(mock, options, new ThreadConfinement("this producer"), () -> {}) {
            @Override
            public boolean isStopped() {
                looks.countDown();
                return super.isStopped();
            }
        };
        WriterStart start = new WriterStart("t", Uuid.ZERO_UUID, 0, TopicEnd.EMPTY, WriterMarker.draft("", "client"));
        KafkaWriter writer = new KafkaWriter(start, looking, null, null, reader -> null, 100, 10);
        try (WatchThread thread = new WatchThread();
                Cluster cluster = new Cluster(options, settings, "no-broker-admin");
                FencingMonitor monitor = new FencingMonitor(
                        cluster,
                        new LogScanner(
                                cluster, new ConsumerGroups(cluster, options), settings, options, "no-broker-rivals"),
                        thread,
                        options)) {
            monitor.watch(writer);
            assertThat(looks.await(15, TimeUnit.SECONDS)).as("it asks again").isTrue();
        }
    }

    private static void onProducersThread(Runnable call) throws InterruptedException {
        Thread thread = new Thread(call);
        thread.start();
        thread.join();
    }
}
