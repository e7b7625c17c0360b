package dev.baton.engine;

import dev.baton.Requests;
import dev.baton.RunningChain;
import dev.baton.Serde;
import dev.baton.SharedInlet;
import dev.baton.engine.chain.ChainState;
import dev.baton.engine.chain.Failures;
import dev.baton.engine.inlet.OpenRequests;
import dev.baton.engine.inlet.SourcePart;
import dev.baton.engine.plan.ChainPlan;
import dev.baton.engine.plan.PartPlan;
import dev.baton.engine.writing.WriterFactory;
import dev.baton.spi.Guarantee;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.StartPosition;
import dev.baton.spi.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** The start of a chain, or of one of its partitions. Confined to one thread at a time. */
public final class ChainStart extends RunStart {
    private static final Set<String> OF_PARTITIONS = Set.of("member", "sessionTimeout", "revokeTimeout", "onPartition");

    private final ChainPlan chain;
    private final AtomicReference<SharedInlet> inletWithoutRequests =
            new AtomicReference<>(); // opened by requests(...) that then failed; null for none

    public ChainStart(ChainPlan chain, Transport transport, RunSettings settings) {
        super(transport, settings);
        this.chain = chain;
    }

    @Override
    public String name() {
        return chain.name();
    }

    ChainPlan chain() {
        return chain;
    }

    @Override
    public RunningChain start() {
        return settings.partitions == null ? super.start() : new PartitionsRun(this).start();
    }

    @Override
    public void check() {
        if (settings.partitions == null) {
            settings.refuse("chain " + chain.name() + " without partitions(...)", OF_PARTITIONS);
        }
        if (settings.only != null && !transport.guarantees().contains(Guarantee.CROSS_PROCESS)) {
            throw new IllegalArgumentException("transport " + transport.name()
                    + " cannot run a chain in several processes; run all its services in one, without only(...)");
        }
        if (settings.source != null && chain.beginning() != null) {
            throw new IllegalArgumentException("chain " + chain.name() + " begins at topic '" + topic(0)
                    + "' of another chain, which feeds it; it takes no source");
        }
        if (chain.services().isEmpty() && chain.beginning() != null && settings.output == null) {
            throw new IllegalStateException("tap " + chain.name() + " of topic '" + topic(0)
                    + "' has no handler for the messages; name one with onOutput(...)");
        }
        plans().check(writers().maxPayload());
    }

    @Override
    public ChainRun run(Consumer<? super Throwable> onFailure) {
        CreatedTopics created = created();
        try {
            created.create(topics());
            ChainRun running = open(UnaryOperator.identity(), onFailure, created, created::remove);
            settings.startAt = StartPosition.stored(); // a restart continues at the stored positions
            return running;
        } catch (Throwable failure) {
            created.remove(failure);
            throw failure;
        }
    }

    /** Returns an empty record of the topics that one start creates. */
    public CreatedTopics created() {
        return new CreatedTopics(transport, plans().consumers());
    }

    @Override
    public int maxPayload() {
        return writers().maxPayload();
    }

    private WriterFactory writers() {
        return new WriterFactory(
                settings.isChecked, settings.isDated, settings.isTraced, transport.maxPayload(), chain.topology());
    }

    /**
     * Opens a run on existing topics.
     *
     * @param topics maps the chain's own name of a topic to its name on the transport
     * @param created creates the topics of snapshots
     * @param onFailedStart called with the failure after everything is closed, if a state cannot be restored
     */
    public ChainRun open(
            UnaryOperator<String> topics,
            Consumer<? super Throwable> onFailure,
            CreatedTopics created,
            Consumer<Throwable> onFailedStart) {
        String first = chain.beginning() == null ? topics.apply(topic(0)) : null;
        int partition = first == null ? PartitionTopic.NONE : PartitionTopic.partition(first);
        ChainState state = new ChainState(
                chain.name(), settings.instance, partition, onFailure, settings.listener, settings.loops.environment());
        WriterFactory writers = writers();
        PartPlans plans = plans();
        List<Integer> stateless = new ArrayList<>();
        List<PendingService> sections = Sections.placed(settings.loops, plans.parts(), (index, loop, next) -> {
            PartPlan plan = plans.plan(topics, index, loop, next, writers, created);
            if (plan.snapshots() == null) {
                stateless.add(index);
            }
            return new PendingService(plan, state);
        });
        if (partition <= 0) { // once for all partitions
            plans.warnOfStates(topics, stateless, state);
        }
        ChainRun running = new ChainRun(first, this, state, writers, onFailedStart);
        running.start(
                settings.source == null
                        ? null
                        : new SourcePart.Pending(
                                first,
                                settings.source.get(),
                                settings.instance,
                                settings.partitionCount(),
                                state,
                                writers),
                sections);
        return running;
    }

    @Override
    public String decidingTopic() {
        int last = parts().stream()
                .mapToInt(part -> Math.min(part + 1, chain.hops() - 1))
                .max()
                .orElse(0);
        return topic(last);
    }

    @Override
    public boolean writesDecidingTopic() {
        return parts().stream().anyMatch(part -> part + 1 < chain.hops());
    }

    @Override
    public String noInlet() {
        if (settings.source != null) {
            return "topic " + topic(0) + " has one writer already: a source";
        }
        return chain.beginning() == null
                ? null
                : "chain " + chain.name() + " has no inlet: it reads what other chains write";
    }

    @Override
    public <Q, R> Requests<Q, R> requests(
            RunningChain running, Serde<Q> requestCodec, Serde<R> replyCodec, int mostOpen) {
        Objects.requireNonNull(requestCodec, "request codec");
        Objects.requireNonNull(replyCodec, "reply codec");
        if (noInlet() != null) {
            throw new IllegalStateException(noInlet());
        }
        boolean isRemembered = RequestHistory.check(this, mostOpen);
        if (!settings.replies.take()) {
            throw new IllegalStateException("topic " + topic(0) + " has one writer already: requests(...)");
        }
        try {
            return openRequests(running, requestCodec, replyCodec, mostOpen, isRemembered);
        } catch (Throwable failure) {
            settings.replies.give();
            throw failure;
        }
    }

    private <Q, R> Requests<Q, R> openRequests(
            RunningChain running, Serde<Q> requestCodec, Serde<R> replyCodec, int mostOpen, boolean isRemembered) {
        ReplyReaders readers = ReplyReaders.open(this);
        SharedInlet inlet = null;
        try {
            SharedInlet before = inletWithoutRequests.getAndSet(null);
            inlet = before == null ? running.sharedInlet(mostOpen) : before;
            OpenRequests<Q, R> requests = new OpenRequests<>(
                    name(),
                    settings.loops.environment(),
                    inlet,
                    requestCodec,
                    replyCodec,
                    mostOpen,
                    settings.resends,
                    readers::close);
            if (isRemembered) {
                requests.beginHistory();
            }
            settings.replies.to(requests);
            if (isRemembered) {
                RequestHistory.read(this, requests); // behind the writer's open, so that no other writer adds requests
            }
            return requests;
        } catch (Throwable failure) {
            inletWithoutRequests.set(inlet);
            Failures.after(failure, readers::close);
            throw failure;
        }
    }

    /** Returns the topic with an index, of each partition. */
    List<String> topics(int index) {
        String whole = topic(index);
        return settings.partitions == null
                ? List.of(whole)
                : IntStream.range(0, settings.partitions.count())
                        .mapToObj(partition -> settings.partitions.topic(whole, partition))
                        .toList();
    }

    /** Returns the last topic, of each partition. */
    List<String> lastTopics() {
        return topics(chain.hops() - 1);
    }

    /** Returns the chain's own name for a topic of this instance. */
    String topic(int index) {
        return chain.topic(settings.instance, index);
    }

    /** Returns the chain's own names for all topics of its own that it writes or reads here. */
    List<String> topics() {
        return plans().topics();
    }

    /** Returns the parts that run here, as indices of the topics that they read, in order. */
    List<Integer> parts() {
        return plans().parts();
    }

    private PartPlans plans() {
        return new PartPlans(chain, transport, settings);
    }
}
