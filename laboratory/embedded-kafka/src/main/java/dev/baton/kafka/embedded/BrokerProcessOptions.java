package dev.baton.kafka.embedded;

import java.util.List;

/**
 * How a broker in a process of its own is set up. Immutable, thread-safe.
 *
 * @param kafka the cluster that the process holds
 * @param heapMegabytes largest heap of the process, 256 to 65536; 1024 unless said otherwise
 * @param jvmFlags more flags for its JVM, after this module's own
 * @param isLinked whether clients and other brokers reach each broker of a {@link BrokerCluster} through a {@link FaultyLink}
 */
public record BrokerProcessOptions(
        EmbeddedKafkaOptions kafka, int heapMegabytes, List<String> jvmFlags, boolean isLinked) {
    public BrokerProcessOptions {
        if (heapMegabytes < 256 || heapMegabytes > 65_536) {
            throw new IllegalArgumentException("a heap of " + heapMegabytes + " MB; 256 to 65536 are allowed");
        }
        if (isLinked && !kafka.host().equals(EmbeddedKafkaOptions.LOOPBACK)) {
            throw new IllegalArgumentException(
                    "brokers at " + kafka.host() + " behind links, which are at " + EmbeddedKafkaOptions.LOOPBACK);
        }
        jvmFlags = List.copyOf(jvmFlags);
    }

    /** One node, a temporary directory, 1 GB of heap. */
    public static BrokerProcessOptions defaults() {
        return new BrokerProcessOptions(EmbeddedKafkaOptions.defaults(), 1024, List.of(), false);
    }

    public BrokerProcessOptions withKafka(EmbeddedKafkaOptions cluster) {
        return new BrokerProcessOptions(cluster, heapMegabytes, jvmFlags, isLinked);
    }

    public BrokerProcessOptions withHeapMegabytes(int megabytes) {
        return new BrokerProcessOptions(kafka, megabytes, jvmFlags, isLinked);
    }

    public BrokerProcessOptions withJvmFlags(List<String> flags) {
        return new BrokerProcessOptions(kafka, heapMegabytes, flags, isLinked);
    }

    /** The same with a {@link FaultyLink} in front of each broker for clients, and one for the other brokers. */
    public BrokerProcessOptions withLinks() {
        return new BrokerProcessOptions(kafka, heapMegabytes, jvmFlags, true);
    }
}
