package dev.baton;

import dev.baton.run.Limits;
import dev.baton.spi.GroupMembership;
import dev.baton.spi.PartitionGroup;
import dev.baton.spi.PartitionTopic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The partitions of a chain that run in this process: all of them, or those that the group assigns to it. Closing delivers and
 * stores messages in progress; if this is a member of a group, its partitions then move to the others. Thread-safe; with manual
 * loops confined to the thread that turns them.
 */
public final class RunningPartitions implements AutoCloseable {
    /** What a membership needs in addition to the time for what is in hand: the transport's own timeouts. */
    private static final Duration LEAVE_LIMIT = Duration.ofSeconds(30);

    private final Deployment deployment;
    private final Partitions partitions;
    private final PartitionGroup group; // null: all partitions run here
    private final InletConnection inletConnection;
    private final AssignedPartitions held;
    private final RestartingPartitions restarting; // null: a partition that failed stays as it is
    private final RecentStatus<ChainStatus> recentStatus;
    private final RecentStatus<Map<Integer, ChainStatus>> recentStatuses;
    private GroupMembership membership; // null: no member, or not joined
    private KeyedInlet inlet;
    private volatile ChainStatus.Phase phase = ChainStatus.Phase.RUNNING;
    private boolean wasDrained; // what the first close answered; guarded by this

    RunningPartitions(
            Deployment deployment,
            Partitions partitions,
            Consumer<? super PartitionChange> onPartition,
            PartitionGroup group,
            RestartPolicy restarts,
            Duration revokeTimeout,
            CreatedTopics created) {
        this.deployment = deployment;
        this.partitions = partitions;
        this.group = group;
        this.inletConnection = new InletConnection(deployment.transport(), deployment.loops());
        this.restarting = restarts == null
                ? null
                : new RestartingPartitions(deployment, restarts, group == null ? partitions : null);
        this.held = new AssignedPartitions(
                deployment.chain().name(),
                deployment.loops().environment(),
                failed -> partition -> deployment.start(
                        topic -> partitions.topic(topic, partition),
                        failed,
                        inletConnection(),
                        created,
                        failure -> {}), // the other partitions have the same topics of snapshots
                onPartition,
                deployment.failureListener(),
                restarting,
                revokeTimeout);
        this.recentStatus = new RecentStatus<>(this::status, deployment.loops().environment());
        this.recentStatuses =
                new RecentStatus<>(this::statuses, deployment.loops().environment());
    }

    /** One for all inlets; where a partition restarts, its inlet cannot share what has failed. */
    private InletConnection inletConnection() {
        return restarting == null ? inletConnection : new InletConnection(deployment.transport(), deployment.loops());
    }

    void start() {
        if (group != null) {
            membership = deployment.transport().join(group, held);
            return;
        }
        try {
            held.start(IntStream.range(0, partitions.count()).boxed().toList());
        } catch (RuntimeException | Error failure) {
            close(Duration.ZERO);
            throw failure;
        }
    }

    /** {@return the assignment of keys to the chain's partitions, and their number} */
    public Partitions partitions() {
        return partitions;
    }

    /** {@return the partitions that run here now, including failed ones} */
    public Set<Integer> held() {
        Set<Integer> here =
                new TreeSet<>(List.copyOf(held.running().keySet())); // a sorted set would be trusted not to change
        if (restarting != null) {
            here.addAll(List.copyOf(restarting.all()));
        }
        return here;
    }

    /**
     * {@return the inlet by key, for one thread}
     *
     * @throws IllegalStateException in a member of a group, as it does not have all partitions. Senders run without being a
     *     member
     */
    public synchronized KeyedInlet inlet() {
        if (group != null) {
            throw new IllegalStateException("member '" + group.member()
                    + "' has the partitions that its group leaves to it; send from a deployment without a member");
        }
        if (phase != ChainStatus.Phase.RUNNING) {
            throw new IllegalStateException(
                    "the partitions of chain " + deployment.chain().name() + " are closed");
        }
        if (inlet == null) {
            inlet = new KeyedInlet(partitions, held().stream().map(this::inlet).toArray(Inlet[]::new));
        }
        return inlet;
    }

    private Inlet inlet(int partition) {
        return restarting == null
                ? held.running().get(partition).inlet()
                : new RestartingInlet(
                        restarting.of(partition), deployment.loops().environment(), deployment.sendLimit());
    }

    /** {@return the status of the partitions that run here and of their parts; the topics of a part name its partition} */
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
        int restarts = restarting == null ? 0 : restarting.restarts();
        return ChainStatus.of(
                new ChainStatus.Asked(
                        deployment.chain().name(),
                        deployment.instance(),
                        PartitionTopic.NONE,
                        now,
                        failure,
                        restarts,
                        inletHeldBack,
                        sections),
                deployment.loops().environment());
    }

    /** {@return the status of each partition that runs here, those included that have failed or restart, by its number} */
    public Map<Integer, ChainStatus> statuses() {
        List<ChainStatus.Asked> asked = new ArrayList<>();
        for (int partition : held()) {
            RunningChain run = held.running().get(partition);
            RestartingChain chain = restarting == null ? null : restarting.of(partition);
            if (chain == null && run != null) {
                asked.add(run.asked().ofPartition(partition));
            } else if (chain != null) {
                asked.add(chain.asked(deployment.instance()).ofPartition(partition));
            }
        }
        Map<Integer, ChainStatus> found = new TreeMap<>();
        ChainStatus.of(asked, deployment.loops().environment()).forEach(each -> found.put(each.partition(), each));
        return Collections.unmodifiableMap(found);
    }

    /**
     * {@return {@link #statuses()}, or the result of an earlier call of this method}
     *
     * @param maxAge maximum age of an earlier result
     */
    public Map<Integer, ChainStatus> statuses(Duration maxAge) {
        return recentStatuses.get(maxAge);
    }

    /** {@return the health of the partitions that run here, as of {@link #status()}} */
    public ChainHealth health() {
        return status().health();
    }

    /**
     * {@return {@link #status()}, or the result of an earlier call of this method} For monitors that read one figure after the
     * other.
     *
     * @param maxAge maximum age of an earlier result
     */
    public ChainStatus status(Duration maxAge) {
        return recentStatus.get(maxAge);
    }

    /**
     * {@return the first failure, empty for none: of a partition, after which only that one stops, or of the membership, after
     * which no partition runs here}
     */
    public Optional<Throwable> failure() {
        return Optional.ofNullable(held.failure());
    }

    /** Closes within {@link RunningChain#CLOSE_LIMIT} and the time that the transport needs to close. */
    @Override
    public void close() {
        close(RunningChain.CLOSE_LIMIT);
    }

    /**
     * Delivers and stores messages in progress, and releases everything. A member leaves its group, and its partitions move to
     * the others at once. Idempotent.
     *
     * @param limit time to deliver and store messages in progress; a negative one counts as zero
     * @return whether everything was delivered and stored; if the partitions were closed before, the result of that close
     */
    public boolean close(Duration limit) {
        return close(limit, true);
    }

    /**
     * Closes as {@link #close(Duration)} does, but a member stays in its group: its partitions wait until it is started again
     * under the same name, and move to the others if it is not back within the session timeout. For a restart or an update of
     * this process that takes less than that: the partitions do not move twice, and no other member is interrupted. No member handles
     * their messages meanwhile, so use {@link #close(Duration)} for a process that does not return. Without a member both are the
     * same.
     *
     * @param limit time to deliver and store messages in progress; a negative one counts as zero
     * @return as {@link #close(Duration)}
     */
    public boolean closeForRestart(Duration limit) {
        return close(limit, false);
    }

    private synchronized boolean close(Duration limit, boolean isLeaving) {
        if (phase == ChainStatus.Phase.CLOSED) {
            return wasDrained;
        }
        Duration capped = Limits.capped("limit", limit);
        phase = ChainStatus.Phase.CLOSING;
        held.revokeTimeout(capped);
        boolean isDone = true;
        if (membership == null) {
            held.revoked(held());
        } else {
            isDone = membership.close(isLeaving, capped.plus(LEAVE_LIMIT));
        }
        phase = ChainStatus.Phase.CLOSED;
        wasDrained = isDone && !held.isCutOff();
        return wasDrained;
    }
}
