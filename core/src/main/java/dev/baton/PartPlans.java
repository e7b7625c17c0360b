package dev.baton;

import dev.baton.run.Loop;
import dev.baton.spi.Guarantee;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What the parts of a deployment are to do: the settings of {@link Deployment} as they were when it was asked. Parts are known
 * by the index of the topic that they read. Immutable; confined to the thread of its deployment.
 *
 * @param partitions of each topic, 0 for none
 * @param only services that run here, null for all
 * @param output makes the consumer of the last topic, null for none
 * @param errors what happens to messages whose service has no policy of its own
 * @param beginning how the first part reads
 */
record PartPlans(
        Chain chain,
        Transport transport,
        int instance,
        int partitions,
        Set<String> only,
        Supplier<? extends Service> output,
        ErrorPolicy errors,
        List<MessageInterceptor> interceptors,
        int batch,
        ReplacedInput replacedInput,
        UnreadableFrames unreadable,
        int maxHeld,
        SnapshotPolicy snapshots,
        Beginning beginning) {
    /**
     * How the first part reads.
     *
     * @param at where it begins, null: where its consumer left off
     * @param consumer that it reads as, null: its own
     */
    record Beginning(StartPosition at, String consumer) {}

    private static final int MOST_BATCH = 1 << 20;

    static int checkBatch(int most) {
        if (most < 1 || most > MOST_BATCH) {
            throw new IllegalArgumentException("batch of " + most + "; 1 to " + MOST_BATCH + " is allowed");
        }
        return most;
    }

    /** Which parts run here, in order. */
    List<Integer> parts() {
        List<String> services = chain.services();
        return IntStream.rangeClosed(0, services.size())
                .filter(i -> i == services.size() ? output != null : only == null || only.contains(services.get(i)))
                .boxed()
                .toList();
    }

    /** The chain's own names for all topics of its own that it writes or reads here. */
    List<String> topics() {
        return Stream.concat(
                        IntStream.range(chain.beginning() == null ? 0 : 1, chain.hops())
                                .mapToObj(index -> chain.topic(instance, index)),
                        parts().stream().filter(this::hasDeadLetters).map(this::deadLetterTopic))
                .toList();
    }

    /** The consumers of all parts that run here. */
    List<String> consumers() {
        return parts().stream().map(this::consumer).toList();
    }

    private String consumer(int index) {
        boolean isFirst = index == parts().get(0);
        return isFirst && beginning.consumer != null ? beginning.consumer : chain.consumer(instance, index);
    }

    /** Refuses a transport that cannot keep dead letters, where there may be some, and a start elsewhere that would repeat. */
    void check(int maxPayload, boolean hasPartitions) {
        if (beginning.consumer != null && (hasPartitions || parts().isEmpty())) {
            throw new IllegalStateException(
                    "consumer '" + beginning.consumer + "' is for parts that run here, without partitions");
        }
        if (beginning.at != null) {
            checkStart(beginning.at, hasPartitions);
        }
        if (parts().stream().anyMatch(this::hasDeadLetters)) {
            DeadLetterTopic.check(transport, maxPayload);
        }
    }

    /** Before a writer is opened: it might take the place of a live one. */
    private void checkStart(StartPosition startAt, boolean hasPartitions) {
        startAt.requireIn(transport.name(), transport.startPositions());
        if (hasPartitions || parts().isEmpty()) {
            throw new IllegalStateException(
                    "a start at " + startAt + " is for parts that run here, without partitions");
        }
        Set<String> existing = transport.guarantees().contains(Guarantee.DURABLE) ? transport.topics() : Set.of();
        for (int index : parts()) {
            String written = index == chain.services().size() ? null : chain.topic(instance, index + 1);
            if (written != null && existing.contains(written)) {
                try (TopicInspector inspector = transport.inspect(written)) {
                    long newest = inspector.newestSequence();
                    if (newest > 0) {
                        throw ServicePlan.refusedStart(written, newest, startAt);
                    }
                }
            }
        }
    }

    private ErrorPolicy errors(int index) {
        ErrorPolicy own = index == chain.services().size()
                ? null
                : chain.steps().get(index).errors();
        return own == null ? errors : own;
    }

    private boolean hasDeadLetters(int index) {
        return errors(index).mayWriteDeadLetters() || unreadable == UnreadableFrames.DEAD_LETTER;
    }

    private String deadLetterTopic(int index) {
        return chain.deadLetterTopic(instance, chain.partName(index));
    }

    /** Makes the service of a part. */
    ServicePlan plan(
            UnaryOperator<String> topics, int index, Loop loop, Loop next, Writers writers, CreatedTopics created) {
        boolean isOutlet = index == chain.services().size();
        String name = chain.partName(index);
        Service service =
                isOutlet ? output.get() : chain.steps().get(index).service().get();
        Objects.requireNonNull(service, () -> "the factory of service " + name + " gave null");
        boolean isForeign = index == 0 && chain.beginning() != null;
        StartPosition startAt = index == parts().get(0) ? beginning.at : null;
        if (startAt != null && service.state() != null) {
            throw StatefulPart.refusedStart(name, startAt);
        }
        return new ServicePlan(
                name,
                consumer(index),
                instance,
                index,
                InterceptedService.around(
                        interceptors, isForeign ? chain.beginning().behind(service) : service),
                topics.apply(chain.topic(instance, index)),
                isOutlet ? null : topics.apply(chain.topic(instance, index + 1)),
                hasDeadLetters(index) ? topics.apply(deadLetterTopic(index)) : null,
                service.state() == null ? null : snapshotTopic(topics, name, service, writers, created),
                batch,
                errors(index),
                loop,
                next,
                writers,
                new ServicePlan.Edges(replacedInput, unreadable, maxHeld, isForeign, snapshots, startAt));
    }

    /** Creates the topic of a service's snapshots: which services have a state is not known before they are made. */
    private String snapshotTopic(
            UnaryOperator<String> topics, String name, Service service, Writers writers, CreatedTopics created) {
        StatefulPart.check(transport, writers.maxPayload(), name, service);
        String topic = chain.snapshotTopic(instance, name);
        created.create(
                partitions == 0
                        ? List.of(topics.apply(topic))
                        : IntStream.range(0, partitions)
                                .mapToObj(partition -> Partitions.of(partitions).topic(topic, partition))
                                .toList()); // those of all partitions: a transport may make them one
        return topics.apply(topic);
    }
}
