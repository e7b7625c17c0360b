package dev.baton.kafka.connectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A source whose topic ends before the position that a chain has reached, as after an unclean election of a leader. */
@Tag("slow")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TruncatedSourceTest {
    @TempDir
    Path directory;

    @Test
    void recordsThatWereFedAreNotFedAgain() throws Exception {
        KafkaTopic in = Broker.topic("cut", 1);
        KafkaTopic out = Broker.topic("out", 1);
        Broker.write(in, "k", "0", "1", "2", "3"); // what is left of six
        String group = "reader-" + in.name();
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", Broker.servers()))) {
            admin.alterConsumerGroupOffsets(group, Map.of(new TopicPartition(in.name(), 0), new OffsetAndMetadata(6)))
                    .all()
                    .get();
        }
        AtomicReference<String> warnings = new AtomicReference<>("");
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord logged) {
                warnings.accumulateAndGet(logged.getMessage(), String::concat);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("dev.baton.kafka.connectors");
        logger.addHandler(handler);
        Chain chain = Chain.named("pass")
                .then("pass", () -> (message, outlet) -> outlet.forward(message))
                .build();
        try (Transport transport = ChronicleTransport.in(directory);
                Loops loops = Loops.cooperative(1);
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .fromEach(KafkaSource.of(in).group(group).skippingLost())
                        .onOutput(KafkaSink.to(out))
                        .start()) {
            await().atMost(Duration.ofSeconds(30))
                    .until(warnings::get, text -> text.contains("records between are lost"));
            Broker.write(in, "k", "4", "5", "6");
            assertThat(Broker.values(out, 3)).containsExactly("4", "5", "6");
            assertThat(running.failure()).isEmpty();
        } finally {
            logger.removeHandler(handler);
        }
    }
}
