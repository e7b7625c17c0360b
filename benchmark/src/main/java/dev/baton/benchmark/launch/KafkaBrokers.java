package dev.baton.benchmark.launch;

import dev.baton.kafka.embedded.BrokerProcess;
import dev.baton.kafka.embedded.BrokerProcessOptions;
import dev.baton.kafka.embedded.EmbeddedKafkaException;
import dev.baton.kafka.embedded.EmbeddedKafkaOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Starts a real Kafka broker on loopback, in a process of its own. Thread-safe. */
public final class KafkaBrokers implements BrokerSource {
    /** Ten times what it takes on two cores. */
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    @Override
    public Broker start(Path directory) {
        EmbeddedKafkaOptions kafka =
                EmbeddedKafkaOptions.defaults().withDirectory(directory).withStartTimeout(START_LIMIT);
        try {
            return new Running(
                    BrokerProcess.start(BrokerProcessOptions.defaults().withKafka(kafka)));
        } catch (EmbeddedKafkaException failed) {
            List<String> said = failed.getMessage().lines().toList();
            String last = said.size() > 1 ? " " + said.get(said.size() - 1).strip() : "";
            throw new Refusal(Refusal.Kind.ENVIRONMENT, "kafka: " + said.get(0) + last, failed);
        }
    }

    private record Running(BrokerProcess process) implements Broker {
        @Override
        public String bootstrapServers() {
            return process.bootstrapServers();
        }

        @Override
        public List<Long> pids() {
            return List.of(process.pid());
        }

        @Override
        public void close() {
            process.close();
        }
    }
}
