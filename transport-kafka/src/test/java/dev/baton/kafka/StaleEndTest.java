package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.connection.TransportContext;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.kafka.topics.WatchThread;
import dev.baton.kafka.write.KafkaWriter;
import dev.baton.kafka.write.RecordedEnds;
import dev.baton.spi.Connection;
import dev.baton.tck.TopicProbe;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.Test;

/** Ends of topics that a process records late, after another one has taken its place. */
class StaleEndTest extends OnBroker {
    @Test
    void replacedWriterRecordsNoOlderEnd() throws Exception {
        KafkaTransport former = transport(options -> options.with(KafkaOptions.RIVAL_INTERVAL, Duration.ofHours(1)));
        String name = newTopic(former);
        TopicProbe topic = probe(name, connect(former));
        topic.write("a");
        topic.awaitStored();
        RecordedEnds late = suspended(former.context());
        late.watch((KafkaWriter) topic.writer());

        try (Connection newer = transport().connect()) {
            TopicProbe next = probe(name, newer);
            next.write("b", "c");
            next.awaitStored();
        } // records its end
        assertThat(recorded(name)).contains(":3");

        late.storeAll(Deadline.in(LONGEST_WAIT)); // what the former process was about to do when it was suspended
        assertThat(recorded(name)).contains(":3");
    }

    @Test
    void writerOfDeletedTopicRecordsNoEnd() throws Exception {
        KafkaTransport former = transport();
        String name = newTopic(former);
        TopicProbe topic = probe(name, connect(former));
        topic.write("a");
        topic.awaitStored();
        RecordedEnds late = suspended(former.context());
        late.watch((KafkaWriter) topic.writer());

        KafkaTransport newer = transport();
        newer.deleteTopics(List.of(name));
        newer.createTopics(List.of(name));
        try (Connection connection = newer.connect()) {
            TopicProbe next = probe(name, connection);
            next.write("b", "c");
            next.awaitStored();
        }
        String ofNewTopic = recorded(name);
        assertThat(ofNewTopic).contains(":2");

        late.storeAll(Deadline.in(LONGEST_WAIT)); // before the writer has learned that its topic was deleted
        assertThat(recorded(name)).isEqualTo(ofNewTopic);
    }

    /** The records of a process whose own thread does not run. */
    private static RecordedEnds suspended(TransportContext context) {
        WatchThread stopped = new WatchThread();
        stopped.close();
        return new RecordedEnds(context.cluster(), context.topics(), context.consumerGroups(), stopped);
    }

    private static String recorded(String topic) throws Exception {
        try (Admin admin =
                Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, TestBroker.bootstrapServers()))) {
            OffsetAndMetadata stored = admin.listConsumerGroupOffsets("baton.@end")
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(TopicNames.partitionOf(topic));
            return stored == null ? "" : stored.metadata();
        }
    }
}
