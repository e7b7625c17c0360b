package dev.baton.kafka.write;

import org.apache.kafka.common.ClusterResource;
import org.apache.kafka.common.ClusterResourceListener;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The serializer of a producer's values, which Kafka notifies of each update of the producer's metadata: before the producer
 * sends anything by what it has learned. Thread-safe; notified by the producer's threads, which hold a lock meanwhile.
 */
final class MetadataUpdates extends ByteArraySerializer implements ClusterResourceListener {
    private volatile Runnable listener = () -> {};

    /** Has a task run at each update, which must not block. */
    void listen(Runnable task) {
        listener = task;
    }

    @Override
    public void onUpdate(ClusterResource cluster) {
        listener.run();
    }
}
