package dev.baton.lab.launch;

import dev.baton.kafka.embedded.BrokerCluster;
import dev.baton.kafka.embedded.BrokerProcessOptions;
import dev.baton.kafka.embedded.EmbeddedKafkaException;
import dev.baton.kafka.embedded.EmbeddedKafkaOptions;
import dev.baton.operations.line.CommandException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** Starts real Kafka brokers on loopback, each in a process of its own. Thread-safe. */
public final class KafkaBrokers implements BrokerSource {
    /** Ten times what it takes on two cores. */
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    @Override
    public Broker start(Path directory, int count) {
        EmbeddedKafkaOptions kafka = EmbeddedKafkaOptions.defaults()
                .withNodes(count)
                .withDirectory(directory)
                .withStartTimeout(START_LIMIT);
        return refusing(() ->
                new Running(BrokerCluster.start(BrokerProcessOptions.defaults().withKafka(kafka))));
    }

    private static <T> T refusing(Supplier<T> start) {
        try {
            return start.get();
        } catch (EmbeddedKafkaException failed) {
            List<String> said = failed.getMessage().lines().toList();
            String last = said.size() > 1 ? " " + said.get(said.size() - 1).strip() : "";
            throw CommandException.environment("kafka: " + said.get(0) + last, failed);
        }
    }

    private record Running(BrokerCluster cluster) implements Broker {
        @Override
        public String bootstrapServers() {
            return cluster.bootstrapServers();
        }

        @Override
        public List<Long> pids() {
            return cluster.pids();
        }

        @Override
        public int count() {
            return cluster.nodes();
        }

        @Override
        public long pid(int broker) {
            return cluster.pid(broker);
        }

        @Override
        public void kill(int broker) {
            cluster.kill(broker);
        }

        @Override
        public void restart(int broker) {
            refusing(() -> {
                cluster.restart(broker);
                return broker;
            });
        }

        @Override
        public void close() {
            cluster.close();
        }
    }
}
