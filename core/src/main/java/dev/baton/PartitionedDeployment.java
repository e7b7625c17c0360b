package dev.baton;

import dev.baton.spi.PartitionGroup;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The configuration of one run of a chain with partitions: all partitions run here, or those that a group of processes assigns
 * to this process. Begun with {@link Deployment#partitions}, completed with {@link #start}.
 *
 * <p>A partition is the complete chain over its own topics, so all guarantees of a chain hold for each partition. Between
 * partitions there is no order. Services are created for every partition. They and the outlet's handler are called on the
 * partition's loop, so with several loops on several threads. Must not be changed after the start. Confined to one thread.
 */
public final class PartitionedDeployment {
    private static final Pattern MEMBER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final Duration LEAST_TIMEOUT = Duration.ofMillis(500);
    private static final Duration MOST_TIMEOUT = Duration.ofMinutes(30);
    private static final Duration LONGEST_REVOKE_TIMEOUT = Duration.ofMinutes(10);

    private final Deployment deployment;
    private final Partitions partitions;
    private String member; // null: all partitions run here
    private Duration sessionTimeout = Duration.ofSeconds(6);
    private Duration revokeTimeout = Duration.ofSeconds(30);
    private Consumer<? super PartitionChange> onPartition = change -> {};
    private RestartPolicy restarts; // null: a partition that failed stays as it is

    PartitionedDeployment(Deployment deployment, Partitions partitions) {
        this.deployment = deployment;
        this.partitions = partitions;
    }

    /**
     * Shares the partitions with the other processes that run the same parts of the chain. Each partition runs in one of them.
     *
     * @param name name of this process, unique among the processes. A process that is started again under the same name gets
     *     its partitions back without a reassignment
     * @return this deployment
     */
    public PartitionedDeployment member(String name) {
        Objects.requireNonNull(name, "member name");
        if (!MEMBER.matcher(name).matches()) {
            throw new IllegalArgumentException("member name '" + name
                    + "'; allowed are up to 100 letters, digits, '.', '_' and '-', beginning with a letter or digit");
        }
        member = name;
        return this;
    }

    /**
     * Sets how long a member may be silent before its partitions move to others. The same in all members.
     *
     * @param silence 500 ms to 30 min; six seconds by default, which is the minimum that Kafka's brokers allow by default
     * @return this deployment
     */
    public PartitionedDeployment sessionTimeout(Duration silence) {
        check("session timeout", silence, LEAST_TIMEOUT, MOST_TIMEOUT);
        sessionTimeout = silence;
        return this;
    }

    /**
     * Sets how long a partition that moves to another process may take to complete and store messages in progress. The other
     * process waits for that; if the time is exceeded, the partition may still be written to when it moves.
     *
     * @param limit 0 to 10 min; 30 seconds by default, as a frame may stay unconfirmed over Kafka
     * @return this deployment
     */
    public PartitionedDeployment revokeTimeout(Duration limit) {
        check("revoke timeout", limit, Duration.ZERO, LONGEST_REVOKE_TIMEOUT);
        revokeTimeout = limit;
        return this;
    }

    /**
     * Sets the listener that is called when a partition comes or leaves.
     *
     * @param listener called on the thread that assigns the partition; it must not close the partitions on that thread
     * @return this deployment
     */
    public PartitionedDeployment onPartition(Consumer<? super PartitionChange> listener) {
        onPartition = Objects.requireNonNull(listener, "partition listener");
        return this;
    }

    /**
     * Closes a partition and opens it again when it fails, while the other partitions continue. Its inlet remains usable as
     * {@link SupervisedChain#inlet} describes, over a connection of its own. The partition stays with its member meanwhile, but
     * the group may still take it away; messages in progress are then handled where it runs next. A membership that fails is
     * not started again.
     *
     * @param policy when the partition is opened again, and when it stops for good
     * @return this deployment
     */
    public PartitionedDeployment restart(RestartPolicy policy) {
        restarts = Objects.requireNonNull(policy, "restart policy");
        return this;
    }

    /**
     * Starts the partitions. Without a member it creates missing topics, opens all partitions, and returns when their services
     * have restored their states, as {@link Deployment#start} does; if one of them cannot, none is left open. A member joins the
     * group and returns before any partition is assigned: when its group assigns a partition, this is opened, and its states are
     * restored after that; {@link #onPartition} is called when it is open, and a failure goes to {@link Deployment#onFailure}.
     *
     * <p>If a partition fails later, only that one stops. It stays with its member until the member is closed and started again, or
     * is opened again by {@link #restart}.
     *
     * @return all partitions, open and with their states; for a member, those that its group assigns to it, which come later
     * @throws IllegalArgumentException if the transport cannot share partitions between processes
     * @throws dev.baton.spi.TopicMismatchException if the topics exist with another number of partitions; the text says what to do
     * @throws dev.baton.spi.TransportException if the transport fails; nothing is left open, and topics that this start has created
     *     are deleted as by {@link Deployment#start}
     */
    public RunningPartitions start() {
        deployment.check();
        if (deployment.hasOneSource()) {
            throw new IllegalArgumentException("a source feeds one topic, and each of " + partitions.count()
                    + " partitions begins with one; name a factory with fromEach(...), or send by inlet()");
        }
        if (deployment.chain().beginning() != null) {
            throw new IllegalArgumentException("chain " + deployment.chain().name()
                    + " begins at a topic of another chain and is not partitioned; run one chain for each partition, from '"
                    + deployment.topic(0) + "@0' on");
        }
        List<Integer> parts = deployment.parts();
        if (member != null && !deployment.transport().sharesPartitions()) {
            throw new IllegalArgumentException("transport "
                    + deployment.transport().name() + " cannot share partitions between processes, so '" + member
                    + "' cannot be a member; run all partitions here, or take a transport that can, as kafka");
        }
        if (member != null && parts.isEmpty()) {
            throw new IllegalArgumentException("member '" + member + "' runs neither a service nor the outlet");
        }
        if (member != null && deployment.loops().isManual()) {
            throw new IllegalArgumentException("partitions come to member '" + member
                    + "' on another thread than the one that turns manual loops; take Loops.cooperative(1), say");
        }
        if (restarts != null) {
            SupervisedDeployment.checkNotManual(deployment.loops(), "a partition is opened again");
        }
        CreatedTopics created = deployment.created();
        try {
            created.create(topics());
            RunningPartitions running = new RunningPartitions(
                    deployment,
                    partitions,
                    onPartition,
                    member == null ? null : group(parts),
                    restarts,
                    revokeTimeout,
                    created);
            running.start();
            return running;
        } catch (RuntimeException | Error failure) {
            created.remove(failure);
            throw failure;
        }
    }

    private List<String> topics() {
        List<String> names = new ArrayList<>();
        deployment
                .topics()
                .forEach(topic -> IntStream.range(0, partitions.count())
                        .forEach(partition -> names.add(partitions.topic(topic, partition))));
        return names;
    }

    /** Processes that run the same parts are one group; others have partitions of their own to share. */
    private PartitionGroup group(List<Integer> parts) {
        List<String> services = deployment.chain().services();
        String here = parts.stream()
                .map(part -> part == services.size() ? Chain.OUTLET : services.get(part))
                .collect(Collectors.joining("+"));
        String first = deployment.topic(parts.get(0));
        return new PartitionGroup(first + "@" + here, first, partitions.count(), member, sessionTimeout, revokeTimeout);
    }

    private static void check(String what, Duration value, Duration least, Duration most) {
        Objects.requireNonNull(value, what);
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(what + " of " + inMillis(value) + " ms; " + least.toMillis() + " to "
                    + most.toMillis() + " ms is allowed");
        }
    }

    private static String inMillis(Duration value) {
        return BigDecimal.valueOf(value.getSeconds(), -3)
                .add(BigDecimal.valueOf(value.getNano() / 1_000_000))
                .toPlainString();
    }
}
