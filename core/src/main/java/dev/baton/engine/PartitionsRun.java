package dev.baton.engine;

import dev.baton.Chain;
import dev.baton.Inlet;
import dev.baton.Requests;
import dev.baton.RunningChain;
import dev.baton.Serde;
import dev.baton.SharedInlet;
import dev.baton.engine.inlet.InletQueue;
import dev.baton.engine.inlet.PartitionedInlet;
import dev.baton.engine.inlet.ThreadInlet;
import dev.baton.partitions.Partitions;
import dev.baton.run.Environment;
import dev.baton.run.Limits;
import dev.baton.spi.PartitionGroup;
import dev.baton.spi.PartitionGroup.GroupMembership;
import dev.baton.spi.PartitionTopic;
import dev.baton.status.ChainStatus;
import dev.baton.status.ChainStatus.ChainId;
import dev.baton.status.ChainStatus.HeldBack;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The partitions of a chain that run in this process: all of them, or those that a group assigns to it. Thread-safe; with
 * manual loops confined to the thread that turns them.
 */
final class PartitionsRun implements RunningChain {
    /** The additional time limit for leaving the group, which covers the timeouts of the transport. */
    private static final Duration LEAVE_LIMIT = Duration.ofSeconds(30);

    private final ChainStart start;
    private final RunSettings settings;
    private final Environment environment;
    private final Partitions partitions;
    private final PartitionGroup group; // null if all partitions run in this process
    private final CreatedTopics created;
    private final AssignedPartitions held;
    private final RestartingPartitions restarting; // null if a failed partition is not restarted
    private final RecentStatus<ChainStatus> recentStatus;
    private final RecentStatus<Map<Integer, ChainStatus>> recentStatuses;
    private GroupMembership membership; // null if this process is not a member or has not joined
    private final Object entrance = new Object(); // not held by a close, which senders do not wait for
    private final Inlet[] inlets; // null for those that were not requested; guarded by entrance
    private final InletQueue[] queues; // null until the shared inlet is opened
    private boolean isShared; // guarded by entrance
    private volatile ChainStatus.Phase phase = ChainStatus.Phase.RUNNING;
    private boolean wasDrained; // result of the first close; guarded by this

    PartitionsRun(ChainStart start) {
        this.start = start;
        settings = start.settings();
        partitions = settings.partitions;
        settings.checkLoops();
        start.check();
        List<Integer> parts = start.parts();
        check(parts);
        environment = settings.loops.environment();
        group = settings.member == null ? null : group(parts);
        created = start.created();
        inlets = new Inlet[partitions.count()];
        queues = new InletQueue[partitions.count()];
        restarting =
                settings.restarts == null ? null : new RestartingPartitions(start, group == null ? partitions : null);
        held = new AssignedPartitions(
                start.name(),
                environment,
                failed -> partition -> start.open(
                        topic -> partitions.topic(topic, partition),
                        failed,
                        created,
                        failure -> {}), // the other partitions use the same snapshot topics
                settings.onPartition,
                settings.onFailure,
                restarting,
                settings.revokeTimeout);
        recentStatus = new RecentStatus<>(this::status, environment);
        recentStatuses = new RecentStatus<>(this::statuses, environment);
    }

    private void check(List<Integer> parts) {
        if (settings.source != null && settings.isOneSource) {
            throw new IllegalArgumentException(
                    "a source feeds one topic, and each of " + partitions.count()
                            + " partitions begins with one; name a factory with fromEach(...), or send through sharedInlet(...)");
        }
        if (start.chain().beginning() != null) {
            throw new IllegalArgumentException("chain " + start.name()
                    + " begins at a topic of another chain and is not partitioned; run one chain for each partition, from '"
                    + start.topic(0) + "@0' on");
        }
        String member = settings.member;
        if (member == null) {
            return;
        }
        if (!start.transport().sharesPartitions()) {
            throw new IllegalArgumentException("transport "
                    + start.transport().name() + " cannot share partitions between processes, so '" + member
                    + "' cannot be a member; run all partitions here, or use a transport that can, such as kafka");
        }
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("member '" + member + "' runs neither a service nor the sink");
        }
        if (settings.loops.isManual()) {
            throw new IllegalArgumentException(
                    "partitions come to member '" + member
                            + "' on another thread than the one that turns manual loops; use Loops.cooperative(1), for example");
        }
    }

    /** Returns the group of the processes that run the same parts; others have partitions of their own to share. */
    private PartitionGroup group(List<Integer> parts) {
        List<String> services = start.chain().services();
        String here = parts.stream()
                .map(part -> part == services.size() ? Chain.SINK : services.get(part))
                .collect(Collectors.joining("+"));
        String first = start.topic(parts.get(0));
        return new PartitionGroup(
                first + "@" + here,
                first,
                partitions.count(),
                settings.member,
                settings.sessionTimeout,
                settings.revokeTimeout);
    }

    /** Creates missing topics and opens all partitions, or joins the group. Closes everything on failure. */
    RunningChain start() {
        try {
            created.create(topics());
            if (group == null) {
                openAll();
            } else {
                membership = start.transport().join(group, held);
            }
            return this;
        } catch (Throwable failure) {
            created.remove(failure);
            throw failure;
        }
    }

    private List<String> topics() {
        List<String> names = new ArrayList<>();
        start.topics()
                .forEach(topic -> IntStream.range(0, partitions.count())
                        .forEach(partition -> names.add(partitions.topic(topic, partition))));
        return names;
    }

    private void openAll() {
        try {
            held.start(IntStream.range(0, partitions.count()).boxed().toList());
        } catch (Throwable failure) {
            close(Duration.ZERO);
            throw failure;
        }
    }

    @Override
    public boolean isPartitioned() {
        return true;
    }

    @Override
    public Set<Integer> held() {
        Set<Integer> here =
                new TreeSet<>(List.copyOf(held.running().keySet())); // the copy does not change while it is sorted
        if (restarting != null) {
            here.addAll(List.copyOf(restarting.all()));
        }
        return here;
    }

    @Override
    public Inlet inlet() {
        if (partitions.count() == 1) {
            return inlet(0);
        }
        throw new IllegalStateException("chain " + start.name() + " has " + partitions.count()
                + " partitions; send through sharedInlet(...), which selects one by key, or through inlet(partition)");
    }

    @Override
    public Inlet inlet(int partition) {
        if (partition < 0 || partition >= partitions.count()) {
            throw new IllegalArgumentException(
                    "partition " + partition + "; 0 to " + (partitions.count() - 1) + " are allowed");
        }
        synchronized (entrance) {
            checkEntrance(isShared);
            if (inlets[partition] == null) {
                inlets[partition] = restarting == null
                        ? running(partition).inlet()
                        : new RestartingInlet(
                                orClosed(restarting.of(partition)),
                                environment,
                                settings.sendLimit.toNanos(),
                                ThreadInlet.isDirect(start.transport()));
            }
            return inlets[partition];
        }
    }

    private ChainRun running(int partition) {
        return orClosed(held.running().get(partition));
    }

    private <T> T orClosed(T ofPartition) {
        if (ofPartition == null) { // a close has begun meanwhile
            throw closed();
        }
        return ofPartition;
    }

    private IllegalStateException closed() {
        return new IllegalStateException("the partitions of chain " + start.name() + " are closed");
    }

    @Override
    public SharedInlet sharedInlet(int capacity) {
        synchronized (entrance) {
            checkEntrance(isShared || Stream.of(inlets).anyMatch(Objects::nonNull));
            isShared = true; // excludes other openings; a close does not wait for this one
        }
        try {
            for (int partition = 0; partition < queues.length; partition++) {
                if (queues[partition]
                        == null) { // otherwise opened by an earlier call, which failed at a later partition
                    queues[partition] = queue(partition, capacity);
                }
            }
            return new PartitionedInlet(start.name(), partitions, List.of(queues));
        } catch (Throwable failure) {
            synchronized (entrance) {
                isShared = false;
            }
            throw failure;
        }
    }

    private InletQueue queue(int partition, int capacity) {
        if (restarting != null) {
            return orClosed(restarting.of(partition)).sharedInlet(capacity, start.maxPayload());
        }
        return running(partition).sharedInlet(capacity);
    }

    private void checkEntrance(boolean isTaken) {
        if (group != null) {
            throw new IllegalStateException("member '" + group.member()
                    + "' has no inlet, as its group assigns its partitions; send from a deployment without a member");
        }
        if (phase != ChainStatus.Phase.RUNNING) {
            throw closed();
        }
        if (isTaken) {
            throw new IllegalStateException("chain " + start.name() + " has another inlet already: "
                    + (isShared ? settings.replies.entrance() : "inlet(partition)"));
        }
    }

    @Override
    public <Q, R> Requests<Q, R> requests(Serde<Q> requestCodec, Serde<R> replyCodec, int mostOpen) {
        return start.requests(this, requestCodec, replyCodec, mostOpen);
    }

    @Override
    public ChainStatus status() {
        Throwable failure = held.failure();
        ChainStatus.Phase now = phase;
        if (failure != null && now == ChainStatus.Phase.RUNNING) {
            now = ChainStatus.Phase.FAILED;
        } else if (restarting != null && restarting.restartingAfter() != null && now == ChainStatus.Phase.RUNNING) {
            failure = restarting.restartingAfter();
            now = ChainStatus.Phase.RESTARTING;
        }
        List<Section> sections = held.running().values().stream()
                .flatMap(each -> each.sections().stream())
                .toList();
        HeldBack inletHeldBack = held.running().values().stream()
                .map(each -> each.asked().inletHeldBack())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        return StatusQuery.of(
                new StatusQuery(
                        new ChainId(start.name(), settings.instance, PartitionTopic.NONE),
                        now,
                        failure,
                        restarts(),
                        inletHeldBack,
                        sections),
                environment);
    }

    @Override
    public Map<Integer, ChainStatus> statuses() {
        List<StatusQuery> asked = new ArrayList<>();
        for (int partition : held()) {
            ChainRun run = held.running().get(partition);
            RestartingChain chain = restarting == null ? null : restarting.of(partition);
            if (chain == null && run != null) {
                asked.add(run.asked().ofPartition(partition));
            } else if (chain != null) {
                asked.add(chain.asked().ofPartition(partition));
            }
        }
        Map<Integer, ChainStatus> found = new TreeMap<>();
        StatusQuery.of(asked, environment)
                .forEach(each -> found.put(each.chain().partition(), each));
        return Collections.unmodifiableMap(found);
    }

    @Override
    public Map<Integer, ChainStatus> statuses(Duration maxAge) {
        return recentStatuses.get(maxAge);
    }

    @Override
    public ChainStatus status(Duration maxAge) {
        return recentStatus.get(maxAge);
    }

    @Override
    public OptionalLong firstSequence() {
        return OptionalLong.empty();
    }

    @Override
    public Optional<Throwable> failure() {
        return Optional.ofNullable(held.failure());
    }

    @Override
    public Optional<Throwable> lastFailure() {
        Throwable ofPartition = restarting == null ? null : restarting.lastFailure();
        return ofPartition == null ? failure() : Optional.of(ofPartition);
    }

    @Override
    public int restarts() {
        return restarting == null ? 0 : restarting.restarts();
    }

    @Override
    public boolean close(Duration limit) {
        return close(limit, true);
    }

    @Override
    public boolean closeForRestart(Duration limit) {
        return close(limit, false);
    }

    private synchronized boolean close(Duration limit, boolean isLeaving) {
        if (phase == ChainStatus.Phase.CLOSED) {
            return wasDrained;
        }
        Duration capped = Limits.capped("limit", limit);
        ChainStatus.Phase before = phase;
        Duration timeoutBefore = held.revokeTimeout();
        phase = ChainStatus.Phase.CLOSING;
        held.revokeTimeout(capped);
        boolean isDone = true;
        if (membership == null) {
            held.revoked(held());
        } else {
            try {
                isDone = membership.close(isLeaving, capped.plus(LEAVE_LIMIT));
            } catch (IllegalStateException refused) { // on the thread of the partition listener
                phase = before;
                held.revokeTimeout(timeoutBefore);
                throw refused;
            }
        }
        boolean isInTurn = settings.loops.isInTurn(); // which ends the messages that its run has taken
        Stream.of(queues).filter(Objects::nonNull).forEach(isInTurn ? InletQueue::endIfOver : InletQueue::end);
        settings.replies.close();
        phase = ChainStatus.Phase.CLOSED;
        wasDrained = isDone && !held.isCutOff();
        return wasDrained;
    }
}
