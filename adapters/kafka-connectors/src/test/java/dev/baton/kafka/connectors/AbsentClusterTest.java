package dev.baton.kafka.connectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.kafka.embedded.BrokerCluster;
import dev.baton.kafka.embedded.BrokerProcessOptions;
import dev.baton.kafka.embedded.EmbeddedKafkaOptions;
import dev.baton.kafka.embedded.FaultyLink;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sinks while the cluster does not answer. */
@Tag("slow")
@Tag("long")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AbsentClusterTest {
    private static final int OUTPUTS = 50;
    private static final int BYTES = 10_000;
    private static final Duration ABSENT = Duration.ofSeconds(25); // longer than an opening may take
    private static final Duration LEAST = Duration.ofSeconds(2); // that a transaction lasts in the test of its end
    private static final Duration FORGETTING = Duration.ofSeconds(2); // until the producer knows of no broker

    @Test
    void sinkBeyondTheProducersMemoryWaits() throws Exception {
        try (BrokerCluster broker =
                BrokerCluster.start(BrokerProcessOptions.defaults().withLinks())) {
            Map<String, Object> servers = Map.of("bootstrap.servers", broker.bootstrapServers());
            try (Admin admin = Admin.create(servers)) {
                admin.createTopics(List.of(new NewTopic("out", 1, (short) 1)))
                        .all()
                        .get();
                KafkaTopic topic = KafkaTopic.at(broker.bootstrapServers(), "out")
                        .with("buffer.memory", Integer.toString(OUTPUTS * BYTES / 2));
                WriteThread writing = WriteThread.open(KafkaSink.to(topic).atLeastOnce(), "id", 1);
                writing.start(0);
                add(writing, 1);
                Awaitility.await().until(() -> {
                    writing.check();
                    return writing.arrived() == 1;
                });
                broker.linkToClients(0).hold();
                LongStream.rangeClosed(2, OUTPUTS).forEach(sequence -> add(writing, sequence));
                Awaitility.await().during(ABSENT).atMost(ABSENT.multipliedBy(2)).untilAsserted(writing::check);
                broker.linkToClients(0).heal();
                writing.finish(Duration.ofSeconds(60));
                writing.close();
                assertThat(writing.arrived()).isEqualTo(OUTPUTS);
                TopicPartition place = new TopicPartition("out", 0);
                assertThat(admin.listOffsets(Map.of(place, OffsetSpec.latest()))
                                .partitionResult(place)
                                .get()
                                .offset())
                        .isEqualTo(OUTPUTS);
            }
        }
    }

    @Test
    void transactionWaitsForAClusterThatWasStopped() throws Exception {
        try (BrokerCluster broker = BrokerCluster.start()) {
            create(broker);
            WriteThread writing =
                    WriteThread.open(KafkaSink.to(KafkaTopic.at(broker.bootstrapServers(), "out")), "id", 1);
            writing.start(0);
            add(writing, 1);
            await(writing, 1);
            broker.kill(0);
            Awaitility.await()
                    .during(FORGETTING)
                    .atMost(FORGETTING.multipliedBy(2))
                    .untilAsserted(writing::check);
            add(writing, 2);
            Awaitility.await().during(ABSENT).atMost(ABSENT.multipliedBy(2)).untilAsserted(writing::check);
            broker.restart(0);
            await(writing, 2);
            writing.close();
        }
    }

    @Test
    void commitWaitsForAClusterThatIsCutOff() throws Exception {
        try (BrokerCluster broker =
                BrokerCluster.start(BrokerProcessOptions.defaults().withLinks())) {
            create(broker);
            KafkaTopic topic =
                    KafkaTopic.at(broker.bootstrapServers(), "out").with("interceptor.classes", CutOff.class.getName());
            WriteThread writing = WriteThread.open(KafkaSink.to(topic), "id", 1);
            writing.start(0);
            CutOff.link = broker.linkToClients(0);
            add(writing, 1);
            Awaitility.await().during(ABSENT).atMost(ABSENT.multipliedBy(2)).untilAsserted(writing::check);
            assertThat(writing.arrived()).isZero();
            broker.linkToClients(0).heal();
            await(writing, 1);
            writing.close();
        }
    }

    @Test
    void timedOutTransactionIsNoReplacement() throws Exception {
        EmbeddedKafkaOptions oftenLooking = EmbeddedKafkaOptions.defaults()
                .withProperty("transaction.abort.timed.out.transaction.cleanup.interval.ms", "200");
        try (BrokerCluster broker = BrokerCluster.start(
                BrokerProcessOptions.defaults().withKafka(oftenLooking).withLinks())) {
            create(broker);
            KafkaTopic topic = KafkaTopic.at(broker.bootstrapServers(), "out")
                    .with("interceptor.classes", CutOff.class.getName())
                    .with("transaction.timeout.ms", Long.toString(LEAST.toMillis()));
            WriteThread writing = WriteThread.open(KafkaSink.to(topic), "id", 1);
            writing.start(0);
            CutOff.link = broker.linkToClients(0);
            add(writing, 1);
            Awaitility.await()
                    .during(LEAST.multipliedBy(4))
                    .atMost(LEAST.multipliedBy(8))
                    .untilAsserted(writing::check);
            broker.linkToClients(0).heal();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThatThrownBy(writing::check)
                            .isExactlyInstanceOf(TransportException.class)
                            .hasMessageContaining("transaction.timeout.ms"));
            writing.close();
        }
    }

    @Test
    void transactionBeyondTheProducersMemoryWaits() throws Exception {
        try (BrokerCluster broker =
                BrokerCluster.start(BrokerProcessOptions.defaults().withLinks())) {
            create(broker);
            KafkaTopic topic = KafkaTopic.at(broker.bootstrapServers(), "out")
                    .with("interceptor.classes", CutOffBefore.class.getName())
                    .with("buffer.memory", Integer.toString(OUTPUTS * BYTES / 2));
            WriteThread writing = WriteThread.open(KafkaSink.to(topic), "id", 1);
            CutOff.link = broker.linkToClients(0);
            LongStream.rangeClosed(1, OUTPUTS).forEach(sequence -> add(writing, sequence));
            writing.start(0);
            Awaitility.await().during(ABSENT).atMost(ABSENT.multipliedBy(2)).untilAsserted(writing::check);
            assertThat(writing.arrived()).isZero();
            CutOffBefore.isOver = true;
            broker.linkToClients(0).heal();
            await(writing, OUTPUTS);
            writing.close();
        }
    }

    /** Cuts the cluster off when a record is stored, before its transaction is committed. */
    public static class CutOff implements ProducerInterceptor<byte[], byte[]>, ConsumerInterceptor<byte[], byte[]> {
        private static volatile FaultyLink link;

        @Override
        public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
            return record;
        }

        @Override
        public void onAcknowledgement(RecordMetadata stored, Exception failure) {
            link.hold();
        }

        @Override
        public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
            return records;
        }

        @Override
        public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

        @Override
        public void close() {}

        @Override
        public void configure(Map<String, ?> settings) {}
    }

    /** Cuts the cluster off when a record is about to be sent. */
    public static final class CutOffBefore extends CutOff {
        private static volatile boolean isOver;

        @Override
        public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
            if (!isOver) {
                CutOff.link.hold();
            }
            return record;
        }

        @Override
        public void onAcknowledgement(RecordMetadata stored, Exception failure) {}
    }

    private static void create(BrokerCluster broker) throws Exception {
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", broker.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic("out", 1, (short) 1))).all().get();
        }
    }

    private static void await(WriteThread writing, long sequence) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
            writing.check();
            return writing.arrived() == sequence;
        });
    }

    private static void add(WriteThread writing, long sequence) {
        writing.add(sequence, new ProducerRecord<>("out", 0, null, new byte[BYTES]));
    }
}
