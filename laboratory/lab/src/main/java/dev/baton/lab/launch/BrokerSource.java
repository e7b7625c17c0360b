package dev.baton.lab.launch;

import dev.baton.kafka.embedded.BrokerCluster;
import dev.baton.kafka.embedded.BrokerProcessOptions;
import dev.baton.kafka.embedded.BrokerProcessOptions.Place;
import dev.baton.kafka.embedded.EmbeddedKafkaException;
import dev.baton.kafka.embedded.EmbeddedKafkaOptions;
import dev.baton.kafka.embedded.FaultyLink;
import dev.baton.operations.line.CommandException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Starts brokers for trials that need some. */
@FunctionalInterface
public interface BrokerSource {
    /** One broker or several that make a cluster, each in a process of its own. Confined to one thread. */
    interface Broker extends AutoCloseable {
        /** Where all of them listen, as a client's option wants it, whether they are up or not. */
        String bootstrapServers();

        /** The processes on this machine of those that are up. */
        List<Long> pids();

        /** How many there are, up or not; they are numbered from 0. */
        default int count() {
            return 1;
        }

        /** The process of one that is up. @throws IllegalArgumentException for a number that is not there */
        default long pid(int broker) {
            return pids().get(broker);
        }

        /** Ends one without a word, as SIGKILL does, and returns when its process is gone. Its files stay. */
        default void kill(int broker) {
            throw new UnsupportedOperationException("this broker cannot be killed");
        }

        /**
         * Starts one that was killed, over its files and at its address, and returns when it answers. Does nothing when
         * it is up.
         *
         * @throws CommandException when it does not answer within a stated time
         */
        default void restart(int broker) {
            throw new UnsupportedOperationException("this broker cannot be started again");
        }

        /**
         * The network between clients and a broker.
         *
         * @throws IllegalStateException where it was not started with links
         */
        default FaultyLink linkToClients(int broker) {
            throw new IllegalStateException("these brokers have no links");
        }

        /** The network from the other brokers to a broker. @throws IllegalStateException where it was not started with links */
        default FaultyLink linkToBrokers(int broker) {
            throw new IllegalStateException("these brokers have no links");
        }

        /** Ends all, within a bounded time. */
        @Override
        void close();
    }

    /**
     * Starts them and waits until each answers.
     *
     * @param directory for their data, empty
     * @param count 1 or 3; of three each keeps a copy of every topic, and two have to have a frame before it is stored
     * @throws CommandException when one does not answer within a stated time
     */
    Broker start(Path directory, int count);

    /** The same behind links that can be cut and slowed down, where this source has some. */
    default Broker startLinked(Path directory, int count) {
        return start(directory, count);
    }

    /** The same with one on each of some hosts, 1 or 3 of them, where this source can. */
    default Broker startOn(Hosts hosts, Path directory) {
        throw new UnsupportedOperationException("these brokers are on this host");
    }

    /** Starts real Kafka brokers on loopback or on hosts, each in a process of its own. Thread-safe. */
    final class KafkaBrokers implements BrokerSource {
        /** The threads of Kafka's own defaults, where the embedded broker has fewer. */
        private static final Map<String, String> STOCK_THREADS = Map.of(
                "num.network.threads", "3",
                "num.io.threads", "8",
                "background.threads", "10",
                "group.coordinator.threads", "4",
                "group.coordinator.background.threads", "2");

        private final Map<String, String> properties;
        private final List<String> jvmFlags;

        public KafkaBrokers() {
            this(Map.of(), List.of());
        }

        private KafkaBrokers(Map<String, String> properties, List<String> jvmFlags) {
            this.properties = properties;
            this.jvmFlags = List.copyOf(jvmFlags);
        }

        /** Brokers with as many threads as Kafka's defaults give them. */
        public static KafkaBrokers withStockThreads() {
            return new KafkaBrokers(STOCK_THREADS, List.of());
        }

        /** Brokers whose JVMs get these flags behind their usual ones: for brokers that live for seconds, as in tests. */
        public static KafkaBrokers withJvmFlags(List<String> flags) {
            return new KafkaBrokers(Map.of(), flags);
        }

        /** Ten times what it takes on two cores. */
        private static final Duration START_LIMIT = Duration.ofSeconds(60);

        @Override
        public Broker start(Path directory, int count) {
            return start(options(directory, count));
        }

        @Override
        public Broker startLinked(Path directory, int count) {
            return start(options(directory, count).withLinks());
        }

        @Override
        public Broker startOn(Hosts hosts, Path directory) {
            List<Place> places = IntStream.range(0, hosts.count())
                    .mapToObj(host -> new Place(hosts.address(host), hosts.on(host)))
                    .toList();
            return start(options(directory, hosts.count()).at(places));
        }

        private static Broker start(BrokerProcessOptions options) {
            return refusing(() -> new Running(BrokerCluster.start(options)));
        }

        private BrokerProcessOptions options(Path directory, int count) {
            EmbeddedKafkaOptions kafka = EmbeddedKafkaOptions.defaults()
                    .withNodes(count)
                    .withDirectory(directory)
                    .withStartTimeout(START_LIMIT);
            for (Map.Entry<String, String> each : properties.entrySet()) {
                kafka = kafka.withProperty(each.getKey(), each.getValue());
            }
            return BrokerProcessOptions.defaults().withKafka(kafka).withJvmFlags(jvmFlags);
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
            public FaultyLink linkToClients(int broker) {
                return cluster.linkToClients(broker);
            }

            @Override
            public FaultyLink linkToBrokers(int broker) {
                return cluster.linkToBrokers(broker);
            }

            @Override
            public void close() {
                cluster.close();
            }
        }
    }
}
