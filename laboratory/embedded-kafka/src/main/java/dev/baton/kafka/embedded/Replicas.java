package dev.baton.kafka.embedded;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.common.TopicPartitionInfo;

/** Looks at the copies that a broker keeps. Stateless, thread-safe. */
final class Replicas {
    private static final long PAUSE_NANOS = 20_000_000;

    private Replicas() {}

    /**
     * Waits until every copy that a broker is to keep is in sync again.
     *
     * @throws EmbeddedKafkaException when one is not in time
     */
    static void awaitInSync(int broker, String bootstrapServers, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        try (Admin admin =
                Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, (Object) bootstrapServers))) {
            while (true) {
                long lagging = lagging(admin, broker, deadline);
                if (lagging == 0) {
                    return;
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new EmbeddedKafkaException("broker " + broker + " was not in sync within " + limit.toMillis()
                            + " ms: " + lagging + " of its copies lagged");
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new EmbeddedKafkaException("interrupted while broker " + broker + " came back", interrupted);
        }
    }

    /** Copies that are not in sync; one at least when the cluster does not answer. */
    private static long lagging(Admin admin, int broker, long deadline) throws InterruptedException {
        long left = Math.max(1, deadline - System.nanoTime());
        try {
            Set<String> topics = admin.listTopics(new ListTopicsOptions().listInternal(true))
                    .names()
                    .get(left, TimeUnit.NANOSECONDS);
            return admin.describeTopics(topics).allTopicNames().get(left, TimeUnit.NANOSECONDS).values().stream()
                    .flatMap(topic -> topic.partitions().stream())
                    .filter(partition -> isLagging(partition, broker))
                    .count();
        } catch (ExecutionException | TimeoutException notYet) {
            return 1;
        }
    }

    private static boolean isLagging(TopicPartitionInfo partition, int broker) {
        return partition.replicas().stream().anyMatch(node -> node.id() == broker)
                && partition.isr().stream().noneMatch(node -> node.id() == broker);
    }
}
