package dev.baton.kafka.embedded;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The options of a {@link BrokerCluster}. Immutable, thread-safe.
 *
 * @param heapMegabytes largest heap of each process, 256 to 65536; 1024 by default
 * @param jvmFlags more flags for their JVMs, after this module's own
 * @param isLinked whether clients and other brokers reach each broker through a {@link FaultyLink}, unencrypted
 * @param places of the brokers, by number; empty: all of them are on loopback
 */
public record BrokerProcessOptions(
        EmbeddedKafkaOptions kafka, int heapMegabytes, List<String> jvmFlags, boolean isLinked, List<Place> places) {
    /**
     * The location of one broker: a network namespace of this machine, for example. Immutable, thread-safe.
     *
     * @param launcher of its process: a command and arguments, before the executable
     */
    public record Place(String address, List<String> launcher) {
        public Place {
            launcher = List.copyOf(launcher);
        }
    }

    public BrokerProcessOptions {
        if (heapMegabytes < 256 || heapMegabytes > 65_536) {
            throw new IllegalArgumentException("a heap of " + heapMegabytes + " MB; 256 to 65536 are allowed");
        }
        if (kafka.security().isPresent() && (isLinked || !places.isEmpty())) {
            throw new IllegalArgumentException("secured brokers behind links or at places; their certificate is for "
                    + Loopback.NUMBER + " alone");
        }
        if (!places.isEmpty() && (isLinked || places.size() != kafka.nodes())) {
            throw new IllegalArgumentException(places.size() + " places of " + kafka.nodes() + " brokers, linked: "
                    + isLinked + "; each broker has one, and none has links");
        }
        jvmFlags = List.copyOf(jvmFlags);
        places = List.copyOf(places);
    }

    /** One node, a temporary directory, 1 GB of heap. */
    public static BrokerProcessOptions defaults() {
        return new BrokerProcessOptions(EmbeddedKafkaOptions.defaults(), 1024, List.of(), false, List.of());
    }

    public BrokerProcessOptions withKafka(EmbeddedKafkaOptions cluster) {
        return new BrokerProcessOptions(cluster, heapMegabytes, jvmFlags, isLinked, places);
    }

    public BrokerProcessOptions withHeapMegabytes(int megabytes) {
        return new BrokerProcessOptions(kafka, megabytes, jvmFlags, isLinked, places);
    }

    public BrokerProcessOptions withJvmFlags(List<String> flags) {
        return new BrokerProcessOptions(kafka, heapMegabytes, flags, isLinked, places);
    }

    /** Returns options with a {@link FaultyLink} in front of each broker for clients, and one for the other brokers. */
    public BrokerProcessOptions withLinks() {
        return new BrokerProcessOptions(kafka, heapMegabytes, jvmFlags, true, places);
    }

    /** Returns options with a separate place for each broker. */
    public BrokerProcessOptions at(List<Place> ofBrokers) {
        return new BrokerProcessOptions(kafka, heapMegabytes, jvmFlags, isLinked, ofBrokers);
    }

    /** {@return the addresses on which the brokers of a cluster listen, by number} */
    List<String> hosts() {
        return IntStream.range(0, kafka.nodes())
                .mapToObj(broker ->
                        places.isEmpty() ? Loopback.HOST : places.get(broker).address())
                .toList();
    }

    List<String> launcher(int broker) {
        return places.isEmpty() ? List.of() : places.get(broker).launcher();
    }
}
