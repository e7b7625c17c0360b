package dev.baton.engine;

import dev.baton.Deployment.UnreadableFrames;
import dev.baton.ErrorPolicy;
import dev.baton.Service;
import dev.baton.TickingService;
import dev.baton.async.AsyncService;
import dev.baton.engine.chain.ChainState;
import dev.baton.engine.chain.Failures;
import dev.baton.engine.cycle.DeadLetterTopic;
import dev.baton.engine.loop.Loop;
import dev.baton.engine.plan.AsyncStart;
import dev.baton.engine.plan.ChainPlan;
import dev.baton.engine.plan.InterceptedService;
import dev.baton.engine.plan.PartPlan;
import dev.baton.engine.snapshots.StatefulPart;
import dev.baton.engine.state.StateContents;
import dev.baton.engine.writing.WriterFactory;
import dev.baton.spi.Guarantee;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The plans of the parts of a chain that run in this process, according to the settings of its deployment. Parts are
 * identified by the index of the topic that they read. Confined to the thread that starts the chain.
 */
public record PartPlans(ChainPlan chain, Transport transport, RunSettings settings) {
    private static final int MOST_BATCH = 1 << 20;

    public static int checkBatch(int most) {
        if (most < 1 || most > MOST_BATCH) {
            throw new IllegalArgumentException("batch of " + most + "; 1 to " + MOST_BATCH + " is allowed");
        }
        return most;
    }

    /** Returns the parts that run in this process, in order. */
    List<Integer> parts() {
        List<String> services = chain.services();
        return IntStream.rangeClosed(0, services.size())
                .filter(i -> i == services.size()
                        ? settings.output != null
                        : settings.only == null || settings.only.contains(services.get(i)))
                .boxed()
                .toList();
    }

    /** Returns the chain's names of its own topics that it writes or reads in this process. */
    List<String> topics() {
        return Stream.concat(
                        IntStream.range(chain.beginning() == null ? 0 : 1, chain.hops())
                                .mapToObj(index -> chain.topic(settings.instance, index)),
                        Stream.concat(
                                parts().stream().filter(this::hasDeadLetters).map(this::deadLetterTopic),
                                parts().stream().filter(this::hasRetries).map(this::retryTopic)))
                .toList();
    }

    /** Returns the consumers of all parts that run in this process. */
    List<String> consumers() {
        return parts().stream().map(this::consumer).toList();
    }

    private String consumer(int index) {
        boolean isFirst = index == parts().get(0);
        return isFirst && settings.consumer != null ? settings.consumer : chain.consumer(settings.instance, index);
    }

    /**
     * Throws if dead letters are possible and the transport cannot store them, or if the start position is not allowed
     * here.
     */
    void check(int maxPayload) {
        boolean hasPartitions = settings.partitions != null;
        if (settings.consumer != null && (hasPartitions || parts().isEmpty())) {
            throw new IllegalStateException(
                    "consumer '" + settings.consumer + "' is for parts that run here, without partitions");
        }
        if (!settings.startAt.isStored()) {
            checkStart(settings.startAt, hasPartitions);
        }
        if (settings.consumer != null && transport.guarantees().contains(Guarantee.DURABLE)) {
            checkConsumer();
        }
        if (parts().stream().anyMatch(this::hasDeadLetters)) {
            DeadLetterTopic.check(transport, maxPayload);
        }
        checkRetries();
    }

    /** Refuses services that once set messages aside and have another policy now, which would not read them. */
    private void checkRetries() {
        List<Integer> others =
                parts().stream().filter(index -> !hasRetries(index)).toList();
        if (others.isEmpty() || !transport.guarantees().contains(Guarantee.DURABLE)) {
            return;
        }
        Set<String> existing = transport.existing(others.stream()
                .map(this::retryTopic)
                .flatMap(retries -> Stream.of(retries, PartitionTopic.name(retries, 0)))
                .collect(Collectors.toSet()));
        for (int index : others) {
            String retries = retryTopic(index);
            if (existing.stream().map(PartitionTopic::base).anyMatch(retries::equals)) {
                throw new IllegalStateException("service '" + chain.partName(index)
                        + "' may have set messages aside in topic '" + retries
                        + "', and its error policy has no perKey(), so"
                        + " that nothing would handle them; start it with perKey() until no message waits"
                        + " (InputStatus.waiting), stop it in order, and delete that topic");
            }
        }
    }

    /**
     * Warns of each service without a state for which a topic of snapshots exists: the wrong build was started, or the topic can be
     * deleted.
     *
     * @param stateless indices of the parts without a state
     */
    void warnOfStates(UnaryOperator<String> topics, List<Integer> stateless, ChainState state) {
        if (stateless.isEmpty() || !transport.guarantees().contains(Guarantee.DURABLE)) {
            return;
        }
        Map<String, String> services = new TreeMap<>(); // by the topic of the snapshots
        stateless.forEach(index -> {
            String name = chain.partName(index);
            services.put(topics.apply(chain.snapshotTopic(settings.instance, name)), name);
        });
        for (String topic : new TreeSet<>(transport.existing(services.keySet()))) {
            state.warn("service '" + services.get(topic)
                    + "' has no state, and ignores the one that an earlier build has saved"
                    + " in topic '" + topic + "'. If it is needed, stop this process and start the build that uses it;"
                    + " otherwise delete the topic");
        }
    }

    /** Checks the start position before a writer is opened, because opening a writer may fence a live one. */
    private void checkStart(StartPosition startAt, boolean hasPartitions) {
        startAt.requireIn(transport.name(), transport.startPositions());
        if (hasPartitions || parts().isEmpty()) {
            throw new IllegalStateException(
                    "a start at " + startAt + " is for parts that run here, without partitions");
        }
        Set<String> existing = transport.guarantees().contains(Guarantee.DURABLE) ? transport.topics() : Set.of();
        for (int index : parts()) {
            String written = index == chain.services().size() ? null : chain.topic(settings.instance, index + 1);
            String retries = hasRetries(index) ? retryTopic(index) : null;
            for (String topic : new String[] {written, retries}) {
                if (topic != null && existing.contains(topic)) {
                    try (TopicInspector inspector = transport.inspect(topic)) {
                        long newest = inspector.newestSequence();
                        if (newest > 0) {
                            throw PartPlan.refusedStart(topic, newest, startAt);
                        }
                    }
                }
            }
        }
    }

    /** Refuses the retries of another consumer of the input, because the service would take that one's inputs as handled. */
    private void checkConsumer() {
        int first = parts().get(0);
        String retries = retryTopic(first);
        if (!hasRetries(first) || transport.existing(Set.of(retries)).isEmpty()) {
            return;
        }
        try (TopicInspector inspector = transport.inspect(retries)) {
            Set<String> consumers = inspector.acknowledged().keySet();
            if (inspector.newestSequence() > 0 && !consumers.isEmpty() && !consumers.contains(settings.consumer)) {
                throw new IllegalStateException("service '" + chain.partName(first) + "' is to read as consumer '"
                        + settings.consumer + "', and topic '" + retries + "' has the messages that it set aside as "
                        + consumers
                        + "; use a chain or a tap of another name, or delete that topic when no message waits");
            }
        }
    }

    private ErrorPolicy errors(int index) {
        ErrorPolicy own = index == chain.services().size()
                ? null
                : chain.steps().get(index).errors();
        return own == null ? settings.errors : own;
    }

    private boolean hasDeadLetters(int index) {
        return errors(index).mayWriteDeadLetters() || settings.unreadable == UnreadableFrames.DEAD_LETTER;
    }

    private String deadLetterTopic(int index) {
        return chain.deadLetterTopic(settings.instance, chain.partName(index));
    }

    private boolean hasRetries(int index) {
        return errors(index).mostSetAside() > 0;
    }

    private String retryTopic(int index) {
        return chain.retryTopic(settings.instance, chain.partName(index));
    }

    private PartPlan.Retries retries(UnaryOperator<String> topics, int index) {
        boolean isKept = transport.guarantees().contains(Guarantee.DURABLE);
        return hasRetries(index) ? new PartPlan.Retries(topics.apply(retryTopic(index)), isKept) : null;
    }

    private boolean isConcurrent(int index) {
        return index < chain.services().size() && chain.steps().get(index).concurrency() != null;
    }

    /** Creates the objects of a service: one, or one for each concurrent call. */
    private List<Service> services(int index) {
        String name = chain.partName(index);
        Supplier<? extends Service> factory = index == chain.services().size()
                ? settings.output
                : chain.steps().get(index).service();
        int objects =
                isConcurrent(index) ? chain.steps().get(index).concurrency().calls() : 1;
        List<Service> services = new ArrayList<>();
        for (int i = 0; i < objects; i++) {
            Service service = create(factory, name, index);
            services.add(Objects.requireNonNull(service, () -> "the factory of service " + name + " returned null"));
        }
        if (isConcurrent(index)) {
            checkConcurrent(name, services.get(0), errors(index));
            long timeoutNanos = chain.steps().get(index).concurrency().timeout().toNanos();
            services.replaceAll(each -> AsyncStart.around(each, timeoutNanos));
        } else if (services.get(0) instanceof AsyncService) {
            throw new IllegalArgumentException(
                    "service " + name + " is asynchronous, so it needs a limit of the calls at"
                            + " work: then(name, factory, Concurrency.perKey(n))");
        }
        return services;
    }

    private Service create(Supplier<? extends Service> factory, String name, int index) {
        try {
            return factory.get();
        } catch (RuntimeException | Error thrown) {
            Failures.nameService(thrown, name, chain.topic(settings.instance, index));
            throw thrown;
        }
    }

    private static void checkConcurrent(String name, Service service, ErrorPolicy errors) {
        String inOrder = service instanceof TickingService
                ? "ticks"
                : StateContents.isDeclared(service) ? "has a state" : service.holdsInputs() ? "holds inputs" : null;
        if (inOrder != null) {
            throw new IllegalArgumentException("service " + name + " " + inOrder
                    + ", which needs its inputs in order, so it cannot have a Concurrency; move what takes time to a"
                    + " service of its own");
        }
        if (errors.mostSetAside() > 0) {
            throw new IllegalArgumentException(
                    "service " + name + " has a Concurrency, with which a retry delays only the"
                            + " later messages of its key, and outputs; use ErrorPolicy.retry without perKey()");
        }
    }

    /** Creates the service and the plan of a part. */
    PartPlan plan(
            UnaryOperator<String> topics,
            int index,
            Loop loop,
            Loop next,
            WriterFactory writers,
            CreatedTopics created) {
        boolean isSink = index == chain.services().size();
        String name = chain.partName(index);
        List<Service> services = services(index);
        Service service = services.get(0);
        boolean isForeign = index == 0 && chain.beginning() != null;
        List<Service> all = services.stream()
                .map(each -> InterceptedService.around(
                        settings.interceptors, isForeign ? chain.beginning().behind(each) : each))
                .toList();
        StartPosition startAt = index == parts().get(0) ? settings.startAt : StartPosition.stored();
        if (!startAt.isStored() && StateContents.isDeclared(service)) {
            throw StatefulPart.refusedStart(name, startAt);
        }
        return new PartPlan(
                new PartPlan.Place(name, consumer(index), settings.instance, index),
                new PartPlan.TopicNames(
                        topics.apply(chain.topic(settings.instance, index)),
                        isSink ? null : topics.apply(chain.topic(settings.instance, index + 1)),
                        hasDeadLetters(index) ? topics.apply(deadLetterTopic(index)) : null,
                        StateContents.isDeclared(service)
                                ? new PartPlan.Snapshots(
                                        snapshotTopic(topics, name, service, writers, created),
                                        !isSink && !transport.guarantees().contains(Guarantee.EXCLUSIVE))
                                : null,
                        retries(topics, index)),
                all.get(0),
                errors(index),
                new PartPlan.Turns(settings.batch, loop, next, isConcurrent(index) ? all : List.of()),
                writers,
                new PartPlan.Edges(
                        settings.replacedInput,
                        settings.unreadable,
                        settings.maxHeld,
                        isForeign,
                        settings.snapshots,
                        startAt,
                        isSink ? settings.replies : null,
                        settings.isPassive));
    }

    /**
     * Creates the snapshot topic of a service. It is created late because only the service object shows whether it has
     * state.
     */
    private String snapshotTopic(
            UnaryOperator<String> topics, String name, Service service, WriterFactory writers, CreatedTopics created) {
        StatefulPart.check(transport, writers.maxPayload(), name, service);
        String topic = chain.snapshotTopic(settings.instance, name);
        created.create(
                settings.partitions == null
                        ? List.of(topics.apply(topic))
                        : IntStream.range(0, settings.partitions.count())
                                .mapToObj(partition -> settings.partitions.topic(topic, partition))
                                .toList()); // topics of all partitions, which may be one topic of the transport
        return topics.apply(topic);
    }
}
