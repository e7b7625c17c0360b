package dev.baton.operations.service;

import dev.baton.Chain;
import dev.baton.Deployment.ReplacedInput;
import dev.baton.Deployment.UnreadableFrames;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.ObservingConsumer;
import dev.baton.spi.StartPosition;
import dev.baton.state.SnapshotPolicy;
import java.time.Duration;
import java.util.List;

/**
 * The services of a chain that one process runs. Immutable, thread-safe.
 *
 * @param chain the whole chain, under the name of its run
 * @param only the names of the services that run here, each once; kept in the order of the chain
 * @param instances of the chain, each with topics of its own
 * @param subject the transport and its options
 * @param sharing of partitions with other processes; null: the topics have none
 * @param edges behaviour at the start and at the end of a run
 * @param snapshots when services with a state save it
 * @param start start position and consumer of the first of them; null: its stored position
 */
public record ServicePlan(
        Chain chain,
        List<String> only,
        int instances,
        Subject subject,
        LoopPlan loops,
        Sharing sharing,
        Edges edges,
        SnapshotPolicy snapshots,
        Start start) {
    /**
     * The start of the first service. Immutable, thread-safe.
     *
     * @param from null: the stored position of its consumer
     * @param consumer null: the service's own; with a position, a consumer that is named after both
     */
    public record Start(StartPosition from, String consumer) {}

    /**
     * The assignment of a service's partitions to several processes. Immutable, thread-safe.
     *
     * @param partitions of every topic
     * @param member name of this process in its group
     * @param sessionTimeout time without a sign of life after which others take its partitions
     * @param keepsPartitions whether its partitions wait for it after an orderly end
     */
    public record Sharing(int partitions, String member, Duration sessionTimeout, boolean keepsPartitions) {}

    /**
     * The reaction to an input topic that has changed since the service left it. Immutable, thread-safe.
     *
     * @param replacedInput for another topic than the one that its outputs answer
     * @param unreadable for a topic with records that are no frames
     */
    public record Edges(ReplacedInput replacedInput, UnreadableFrames unreadable) {}

    /** A bound that a typing mistake meets before the machine does. */
    public static final int MOST_SERVICES = 1_000;

    /** The greatest number of instances, as above. */
    public static final int MOST_INSTANCES = 100_000;

    public ServicePlan {
        for (String each : only) {
            if (!chain.services().contains(each)) {
                throw new IllegalArgumentException(
                        "service " + each + "; the chain has " + String.join(", ", chain.services()));
            }
        }
        only = chain.services().stream().filter(only::contains).toList();
    }

    /** The consumer as which the first service reads; null: its own. */
    String consumer() {
        if (start == null || start.from() == null || start.consumer() != null) {
            return start == null ? null : start.consumer();
        }
        String service = chain.services().get(first());
        String position = start.from().toString().replaceFirst("^[a-z]+ ", "").replace(':', '.');
        String consumer = chain.name() + "--" + service + "--from-" + position;
        return chain.isObserving() ? ObservingConsumer.name(consumer) : consumer;
    }

    String firstInput() {
        return chain.topic(0, first());
    }

    String firstOutput() {
        return chain.topic(0, first() + 1);
    }

    private int first() {
        return only.stream().mapToInt(chain.services()::indexOf).min().orElseThrow();
    }

    /** The topic whose newest writer continues where the newest wins: the output of the last service that runs here. */
    String decidingTopic() {
        return chain.topic(0, only.isEmpty() ? 0 : chain.services().indexOf(only.get(only.size() - 1)) + 1);
    }

    /** {@return a text for people: {@code five s3}} */
    @Override
    public String toString() {
        return chain.name() + " " + String.join(",", only);
    }
}
