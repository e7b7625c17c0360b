package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.kafka.embedded.BrokerCluster;
import dev.baton.kafka.embedded.BrokerProcessOptions;
import dev.baton.kafka.embedded.EmbeddedKafkaOptions;
import dev.baton.spi.Connection;
import dev.baton.spi.PartitionGroup;
import dev.baton.spi.PartitionGroup.PartitionListener;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.Turns;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients whose only broker has died log that they look for it, a few lines a second, and no storm of them. */
@Tag("slow")
@Timeout(120)
@Tag("long")
class DeadBrokerLogTest {
    private static final String DEAD = "the broker is dead";
    private static final String OVER = "it is over";
    private static final Duration AWAY = Duration.ofSeconds(10);

    @Test
    void spinningAtADeadBrokerLogsUnder200Lines() throws Exception {
        BrokerProcessOptions options = BrokerProcessOptions.defaults()
                .withHeapMegabytes(256)
                .withJvmFlags(List.of("-XX:TieredStopAtLevel=1"))
                .withKafka(EmbeddedKafkaOptions.defaults().withProperty("group.min.session.timeout.ms", "4000"));
        try (BrokerCluster broker = BrokerCluster.start(options)) {
            String said = KafkaClientProcess.run(Client.class, broker.bootstrapServers(), Long.toString(broker.pid(0)));

            assertThat(said).contains(DEAD, OVER);
            List<String> lines = said.substring(said.indexOf(DEAD), said.indexOf(OVER))
                    .lines()
                    .filter(line -> line.contains("org.apache.kafka"))
                    .toList();
            assertThat(lines.size())
                    .as(() -> "lines by who logged them: " + byLogger(lines))
                    .isBetween(1, 200);
        }
    }

    private static Map<String, Long> byLogger(List<String> lines) {
        Map<String, Long> counts = new TreeMap<>();
        lines.forEach(line -> counts.merge(line.replaceAll("\\d+", "0").replaceAll(" - .*", ""), 1L, Long::sum));
        return counts;
    }

    private static final class Nobody implements PartitionListener {
        @Override
        public void assigned(Set<Integer> partitions) {}

        @Override
        public void revoked(Set<Integer> partitions) {}

        @Override
        public void lost(Set<Integer> partitions) {}

        @Override
        public void failed(TransportException cause) {
            cause.printStackTrace();
        }
    }

    /** Everything that a transport has clients for: a writer and a reader that are busy, a member of a group, a look. */
    static final class Client {
        private Client() {}

        public static void main(String[] arguments) throws InterruptedException {
            try (KafkaTransport patient = KafkaTransport.at(arguments[0])) {
                patient.createTopics(List.of("dead")); // the first topic of a broker that has just started
            }
            KafkaOptions options = KafkaOptions.at(arguments[0])
                    .with(KafkaOptions.TIMEOUT, Duration.ofSeconds(8))
                    .with(KafkaOptions.COMMIT_INTERVAL, Duration.ofMillis(50));
            try (KafkaTransport transport = KafkaTransport.at(options)) {
                Connection connection = transport.connect();
                Turns turns = new Turns(Duration.ofSeconds(20), connection);
                TopicProbe topic = new TopicProbe("dead", connection, turns);
                topic.write("a");
                topic.take(1);
                topic.write("b");
                topic.awaitStored();
                transport.join(
                        new PartitionGroup("group", "dead", 1, "one", Duration.ofSeconds(4), Duration.ofSeconds(1)),
                        new Nobody());
                turns.settle(Duration.ofSeconds(1));
                ProcessHandle broker =
                        ProcessHandle.of(Long.parseLong(arguments[1])).orElseThrow();
                broker.destroyForcibly();
                broker.onExit().join();
                System.out.println(DEAD);
                topic.write("c");
                topic.take(1);
                turns.settle(AWAY.dividedBy(2));
                look(transport);
                turns.settle(AWAY.dividedBy(2));
                System.out.println(OVER);
                System.out.flush();
            } catch (RuntimeException failed) {
                failed.printStackTrace(System.out); // or the halt would hide it
            } finally {
                Runtime.getRuntime().halt(0);
            }
        }

        private static void look(KafkaTransport transport) {
            try (TopicInspector inspector = transport.inspect("dead")) {
                inspector.newestSequence();
            } catch (TransportException noBroker) {
                System.out.println(noBroker.getMessage());
            }
        }
    }
}
