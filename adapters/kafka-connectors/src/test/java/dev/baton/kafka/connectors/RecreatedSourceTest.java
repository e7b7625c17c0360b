package dev.baton.kafka.connectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A source whose topic is deleted and created again while it is read. */
@Tag("slow")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RecreatedSourceTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final List<String> fed = Collections.synchronizedList(new ArrayList<>());

    @Test
    void recordsOfLongerNewTopicAreNotFed() throws Exception {
        // two records are queued, a third waits for room, and the consumer is not polled meanwhile
        KafkaTopic topic = Broker.topic("longer", 1).with("max.poll.records", "1");
        Broker.write(topic, "k", "a", "b", "c", "d");
        FetchThread fetching = start(topic);
        try {
            await().atMost(LIMIT).until(() -> take(fetching).size() == 1);
            Broker.delete(topic);
            KafkaTopicsTest.recreate(topic);
            Broker.write(topic, "k", "1", "2", "3", "4", "5", "6");
            awaitRecreation(fetching);
            assertThat(fed).containsExactly("a", "b", "c", "d");
        } finally {
            fetching.close();
        }
    }

    @Test
    void shorterNewTopicIsNamedAsTheReason() throws Exception {
        KafkaTopic topic = Broker.topic("shorter", 1);
        Broker.write(topic, "k", "a", "b", "c");
        FetchThread fetching = start(topic);
        try {
            await().atMost(LIMIT).until(() -> take(fetching).size() == 3);
            Broker.delete(topic);
            KafkaTopicsTest.recreate(topic);
            awaitRecreation(fetching);
        } finally {
            fetching.close();
        }
    }

    private static FetchThread start(KafkaTopic topic) {
        TopicAdmin admin = new TopicAdmin(topic);
        return FetchThread.start(KafkaSource.of(topic), admin, admin.describe(), 0, "group", -1, FetchThread.BY_POLICY);
    }

    private void awaitRecreation(FetchThread fetching) {
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThatThrownBy(() -> take(fetching))
                        .isInstanceOf(TransportException.class)
                        .hasMessageContaining("deleted and created again"));
    }

    private List<String> take(FetchThread fetching) {
        List<ConsumerRecord<byte[], byte[]>> batch = fetching.poll();
        if (batch != null) {
            batch.forEach(each -> fed.add(Broker.text(each.value())));
        }
        return fed;
    }
}
