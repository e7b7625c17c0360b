package dev.baton.lab.study.chaos;

import dev.baton.kafka.embedded.BrokerCluster;
import dev.baton.kafka.embedded.EmbeddedKafkaException;
import dev.baton.lab.launch.BrokerSource;
import dev.baton.operations.line.CommandException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;

/** The brokers of a set-up, and whether all of them are in sync. Confined to one thread. */
final class Brokers implements AutoCloseable {
    private static final Duration IN_STEP_LIMIT = Duration.ofSeconds(60);
    private static final int REQUEST_SECONDS = 10;
    private static final long CHECK_MILLIS = 100;

    final BrokerCluster cluster;
    private final Admin admin;

    /**
     * Connects to a running cluster.
     *
     * @param cluster closed with this, and when its client cannot be created
     */
    Brokers(BrokerCluster cluster) {
        this.cluster = cluster;
        try {
            admin = Admin.create(Map.of(
                    AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                    cluster.bootstrapServers(),
                    AdminClientConfig.ENABLE_METRICS_PUSH_CONFIG,
                    "false"));
        } catch (RuntimeException failed) {
            cluster.close();
            throw failed;
        }
    }

    /**
     * Starts one again over its data, and returns when it takes requests; once more when that takes too long.
     *
     * @throws CommandException when it does not
     */
    void restart(int broker) {
        try {
            cluster.restart(broker);
        } catch (EmbeddedKafkaException late) {
            cluster.kill(broker);
            BrokerSource.refusing(() -> {
                cluster.restart(broker);
                return broker;
            });
        }
    }

    /** Waits until every broker has all of these topics, so that the next may fail. @return whether that came to be */
    boolean awaitInStep(Set<String> topics) {
        return ChainScenario.await(IN_STEP_LIMIT, CHECK_MILLIS, () -> isInStep(topics));
    }

    private boolean isInStep(Set<String> topics) {
        try {
            return described(topics).values().stream()
                    .flatMap(topic -> topic.partitions().stream())
                    .allMatch(partition -> partition.leader() != null
                            && partition.isr().size() == partition.replicas().size());
        } catch (ExecutionException | TimeoutException notYet) {
            return false; // asked again until the deadline
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Map<String, TopicDescription> described(Set<String> topics)
            throws ExecutionException, TimeoutException, InterruptedException {
        return admin.describeTopics(topics).allTopicNames().get(REQUEST_SECONDS, TimeUnit.SECONDS);
    }

    /** Leaders and copies in sync of these topics, as the cluster says, in one line for the log. */
    String state(Set<String> topics) {
        try {
            return new TreeMap<>(described(topics))
                    .values().stream()
                            .flatMap(topic -> topic.partitions().stream()
                                    .map(partition -> topic.name() + " leader " + partition.leader() + " in sync "
                                            + partition.isr() + " eligible " + partition.elr()))
                            .collect(Collectors.joining("; "));
        } catch (ExecutionException | TimeoutException unanswered) {
            return "no answer: " + unanswered;
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(1));
        cluster.close();
    }
}
