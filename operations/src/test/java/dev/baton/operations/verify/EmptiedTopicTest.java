package dev.baton.operations.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.kafka.KafkaProvider;
import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Topics whose frames Kafka's retention has removed. */
@Tag("slow")
@Timeout(120)
class EmptiedTopicTest {
    @Test
    void topicEmptiedByRetentionIsNotDamaged() throws Exception {
        AtomicInteger received = new AtomicInteger();
        try (EmbeddedKafka kafka = EmbeddedKafka.start();
                Transport transport = new KafkaProvider().open(Map.of("bootstrap-servers", kafka.bootstrapServers()))) {
            Chain chain = Chain.named("shop")
                    .then("price", () -> (in, out) -> out.forward(in))
                    .build();
            try (Loops loops = Loops.cooperative(1);
                    RunningChain running = chain.on(transport)
                            .with(loops)
                            .onOutput(in -> received.incrementAndGet())
                            .start()) {
                for (int i = 0; i < 5; i++) {
                    running.inlet().send(new byte[8]);
                }
                await().until(() -> received.get() == 5);
            }
            empty(kafka, "shop-0");
            List<TopicCheck> checks =
                    new Audit(transport, (check, end) -> {}, () -> false).of(List.of("shop-0", "shop-1"));
            assertThat(checks)
                    .allSatisfy(each -> assertThat(each.isClean())
                            .as(each.told().toString())
                            .isTrue());
            empty(kafka, "shop-1");
            checks = new Audit(transport, (check, end) -> {}, () -> false).of(List.of("shop-0", "shop-1"));
            assertThat(checks)
                    .allSatisfy(each -> assertThat(each.isClean())
                            .as(each.told().toString())
                            .isTrue());
        }
    }

    private static void empty(EmbeddedKafka kafka, String topic) throws Exception {
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(-1)))
                    .all()
                    .get();
        }
    }
}
