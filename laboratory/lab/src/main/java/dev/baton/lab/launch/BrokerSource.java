package dev.baton.lab.launch;

import dev.baton.kafka.embedded.BrokerCluster;
import dev.baton.kafka.embedded.BrokerProcessOptions;
import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.kafka.embedded.EmbeddedKafkaException;
import dev.baton.kafka.embedded.EmbeddedKafkaOptions;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.options.ChosenTransport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Starts brokers for trials that need some. */
@FunctionalInterface
public interface BrokerSource {
    /** Ends of the names of options, and whole names, of transports that need brokers. */
    String PROTOCOL = ".security.protocol";

    String REPLICATION = "replication";
    String TOPIC = "topic.";

    /**
     * One broker or several that make a cluster, each in a separate process. Confined to one thread.
     *
     * @param bootstrapServers addresses of all of them, for a client's option
     * @param pids their processes on this machine
     * @param end ends all, within a bounded time
     */
    record Broker(String bootstrapServers, List<Long> pids, Runnable end) implements AutoCloseable {
        @Override
        public void close() {
            end.run();
        }
    }

    /**
     * Starts them and waits until each answers.
     *
     * @param directory for their data, empty
     * @param count 1 or 3; of three each keeps a copy of every topic, and two have to have a frame before it is stored
     * @param further options: links in front of them, or places on other hosts
     * @throws CommandException when one does not answer within a stated time
     */
    BrokerCluster startCluster(Path directory, int count, UnaryOperator<BrokerProcessOptions> further);

    /** Starts brokers for a trial that injects no faults into them. */
    default Broker start(Path directory, int count) {
        BrokerCluster started = startCluster(directory, count, UnaryOperator.identity());
        return new Broker(started.bootstrapServers(), started.pids(), started::close);
    }

    /**
     * Checks options that only brokers refuse, before any is started; nothing where others were named.
     *
     * @throws CommandException for an option that our own brokers cannot satisfy
     */
    static void requirePossible(ChosenTransport chosen) {
        if (!chosen.needsBroker()) {
            return;
        }
        Map<String, String> topic = new TreeMap<>();
        chosen.options().forEach((key, value) -> {
            Checks.require(
                    !key.endsWith(PROTOCOL) || value.equalsIgnoreCase("PLAINTEXT"),
                    "-o " + key + "=" + value + ": brokers that are started for a trial know PLAINTEXT alone; name a"
                            + " cluster with --bootstrap-servers, or omit it");
            Checks.require(
                    !key.equals(REPLICATION)
                            || !value.matches("\\d{1,9}")
                            || Integer.parseInt(value) <= chosen.brokers(),
                    "-o " + key + "=" + value + " needs as many brokers; " + chosen.brokers()
                            + (chosen.brokers() == 1 ? " is" : " are") + " started, --brokers 3 starts three");
            if (key.startsWith(TOPIC)) {
                topic.put(key.substring(TOPIC.length()), value);
            }
        });
        if (!topic.isEmpty()) {
            Checks.allowed(chosen.provider().name() + ": a broker refuses a setting of topics: ", () -> {
                EmbeddedKafka.requireTopicSettings(topic);
                return topic;
            });
        }
    }

    /** Returns the result of a start of brokers. @throws CommandException when one does not respond in time */
    static <T> T refusing(Supplier<T> start) {
        try {
            return start.get();
        } catch (EmbeddedKafkaException failed) {
            List<String> said = failed.getMessage().lines().toList();
            String last = said.size() > 1 ? " " + said.get(said.size() - 1).strip() : "";
            throw CommandException.environment("kafka: " + said.get(0) + last, failed);
        }
    }

    /**
     * Starts real Kafka brokers on loopback or on hosts, each in a separate process. Thread-safe.
     *
     * @param jvmFlags behind the usual ones
     */
    record KafkaBrokers(Map<String, String> properties, List<String> jvmFlags) implements BrokerSource {
        /** The limit of a start: ten times what it takes on two cores. */
        private static final Duration START_LIMIT = Duration.ofSeconds(60);

        /** The threads of Kafka's own defaults, where the embedded broker has fewer. */
        private static final Map<String, String> STOCK_THREADS = Map.of(
                "num.network.threads", "3",
                "num.io.threads", "8",
                "background.threads", "10",
                "group.coordinator.threads", "4",
                "group.coordinator.background.threads", "2");

        public KafkaBrokers() {
            this(Map.of(), List.of());
        }

        /** Brokers with as many threads as Kafka's defaults give them. */
        public static KafkaBrokers withStockThreads() {
            return new KafkaBrokers(STOCK_THREADS, List.of());
        }

        @Override
        public BrokerCluster startCluster(Path directory, int count, UnaryOperator<BrokerProcessOptions> further) {
            EmbeddedKafkaOptions kafka = EmbeddedKafkaOptions.defaults()
                    .withNodes(count)
                    .withDirectory(directory)
                    .withStartTimeout(START_LIMIT);
            for (Map.Entry<String, String> each : properties.entrySet()) {
                kafka = kafka.withProperty(each.getKey(), each.getValue());
            }
            BrokerProcessOptions options = further.apply(
                    BrokerProcessOptions.defaults().withKafka(kafka).withJvmFlags(jvmFlags));
            return refusing(() -> BrokerCluster.start(options));
        }
    }
}
