package dev.baton.operations.service;

import dev.baton.Chain;
import dev.baton.ReplacedInput;
import dev.baton.UnreadableFrames;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.ObservingConsumer;
import dev.baton.spi.StartPosition;
import dev.baton.state.SnapshotPolicy;
import java.time.Duration;
import java.util.List;

/**
 * Which services of which chain one process runs. Immutable, thread-safe.
 *
 * @param chain the whole chain, under the name of its run
 * @param only the names of those that run here, in order, each once
 * @param instances of the chain, each with topics of its own
 * @param subject the transport and its options
 * @param sharing of partitions with other processes; null: the topics have none
 * @param edges what they do where a run begins or ends
 * @param snapshots when services with a state save it
 * @param start where the first of them begins to read, and as whom; null: where it left off
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
     * Where the first service begins to read. Immutable, thread-safe.
     *
     * @param from null: where its consumer left off
     * @param consumer null: its own; with a position, one that is named after both
     */
    public record Start(StartPosition from, String consumer) {}

    /**
     * How a process shares the partitions of its services with others. Immutable, thread-safe.
     *
     * @param partitions of every topic
     * @param member name of this process in its group
     * @param sessionTimeout after which silence its partitions go to others
     * @param keepsPartitions whether they wait for it when it is asked to end
     */
    public record Sharing(int partitions, String member, Duration sessionTimeout, boolean keepsPartitions) {}

    /**
     * What services do with an input topic that is not as they left it. Immutable, thread-safe.
     *
     * @param replacedInput when it is another topic than the one that their outputs answer
     * @param unreadable when it holds records that are no frames
     */
    public record Edges(ReplacedInput replacedInput, UnreadableFrames unreadable) {}

    /** A bound that a typing mistake meets before the machine does. */
    public static final int MOST_SERVICES = 1_000;

    /** As above. */
    public static final int MOST_INSTANCES = 100_000;

    public ServicePlan {
        only = List.copyOf(only);
        for (String each : only) {
            if (!chain.services().contains(each)) {
                throw new IllegalArgumentException(
                        "service " + each + "; the chain has " + String.join(", ", chain.services()));
            }
        }
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

    /** The topic whose newest writer goes on where the newest wins: the output of the last service that runs here. */
    String decidingTopic() {
        return chain.topic(0, only.isEmpty() ? 0 : chain.services().indexOf(only.get(only.size() - 1)) + 1);
    }

    /** As people read it: {@code five s3}. */
    @Override
    public String toString() {
        return chain.name() + " " + String.join(",", only);
    }
}
