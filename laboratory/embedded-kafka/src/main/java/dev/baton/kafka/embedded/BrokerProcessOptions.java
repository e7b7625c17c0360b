package dev.baton.kafka.embedded;

import java.util.List;
import java.util.Optional;

/**
 * How a broker in a process of its own is set up. Immutable, thread-safe.
 *
 * @param kafka the cluster that the process holds
 * @param heapMegabytes largest heap of the process, 256 to 65536; 1024 unless said otherwise
 * @param jvmFlags more flags for its JVM, after this module's own
 * @param classPath where the broker's classes are, such as one executable jar; empty: the class path of this JVM
 */
public record BrokerProcessOptions(
        EmbeddedKafkaOptions kafka, int heapMegabytes, List<String> jvmFlags, Optional<String> classPath) {
    public BrokerProcessOptions {
        if (heapMegabytes < 256 || heapMegabytes > 65_536) {
            throw new IllegalArgumentException("a heap of " + heapMegabytes + " MB; 256 to 65536 are allowed");
        }
        jvmFlags = List.copyOf(jvmFlags);
    }

    /** One node, a temporary directory, 1 GB of heap. */
    public static BrokerProcessOptions defaults() {
        return new BrokerProcessOptions(EmbeddedKafkaOptions.defaults(), 1024, List.of(), Optional.empty());
    }

    public BrokerProcessOptions withKafka(EmbeddedKafkaOptions cluster) {
        return new BrokerProcessOptions(cluster, heapMegabytes, jvmFlags, classPath);
    }

    public BrokerProcessOptions withHeapMegabytes(int megabytes) {
        return new BrokerProcessOptions(kafka, megabytes, jvmFlags, classPath);
    }

    public BrokerProcessOptions withJvmFlags(List<String> flags) {
        return new BrokerProcessOptions(kafka, heapMegabytes, flags, classPath);
    }
}
