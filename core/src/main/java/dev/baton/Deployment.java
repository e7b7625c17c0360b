package dev.baton;

import dev.baton.OutputHandler.TypedOutputHandler;
import dev.baton.deadletters.DeadLetter;
import dev.baton.engine.ChainStart;
import dev.baton.engine.MergeStart;
import dev.baton.engine.PartPlans;
import dev.baton.engine.RunSettings;
import dev.baton.engine.RunStart;
import dev.baton.engine.chain.GuardedListener;
import dev.baton.engine.cycle.SinkService;
import dev.baton.engine.inlet.OpenRequests;
import dev.baton.engine.loop.LoopPool;
import dev.baton.engine.plan.ChainNames;
import dev.baton.engine.plan.ChainPlan;
import dev.baton.partitions.Partitions;
import dev.baton.partitions.Partitions.PartitionChange;
import dev.baton.run.Limits;
import dev.baton.run.Loops;
import dev.baton.spi.StartPosition;
import dev.baton.spi.Transport;
import dev.baton.state.SnapshotPolicy;
import dev.baton.state.UnknownSnapshotVersionException;
import dev.baton.status.PartStatus.InputStatus;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The configuration of a run of a chain, a tap or a merge: its transport, its loops, its input and the consumer of its
 * outputs. Begun with {@link Chain#on} or {@link Merge#on}, completed with {@link #start}. The start refuses an option that
 * does not apply to the deployed chain or merge. A started chain does not change when the deployment is changed or started
 * again. Confined to one thread.
 */
public final class Deployment {
    private static final int MOST_HELD = 1 << 26;
    private static final int MOST_RESENDS = 1 << 20;
    private static final Pattern MEMBER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final Duration LEAST_TIMEOUT = Duration.ofMillis(500);
    private static final Duration MOST_TIMEOUT = Duration.ofMinutes(30);
    private static final Duration LONGEST_REVOKE_TIMEOUT = Duration.ofMinutes(10);

    private final String name;
    private final List<String> services; // none for a merge
    private final Function<RunSettings, RunStart> started;
    private final RunSettings settings = new RunSettings();

    private Deployment(String name, List<String> services, Function<RunSettings, RunStart> started) {
        this.name = name;
        this.services = services;
        this.started = started;
    }

    static Deployment of(ChainPlan chain, Transport transport) {
        Objects.requireNonNull(transport, "transport");
        return new Deployment(chain.name(), chain.services(), settings -> new ChainStart(chain, transport, settings));
    }

    static Deployment of(Merge merge, Transport transport) {
        Objects.requireNonNull(transport, "transport");
        return new Deployment(merge.name(), List.of(), settings -> new MergeStart(merge, transport, settings));
    }

    private Deployment given(String option) {
        settings.given.add(option);
        return this;
    }

    /**
     * Sets the loops that run the chain. Required.
     *
     * @param threads closed by the caller, after the chain
     * @return this deployment
     * @throws IllegalArgumentException for another implementation than that of the methods of {@link Loops}
     */
    public Deployment with(Loops threads) {
        settings.loops = LoopPool.of(Objects.requireNonNull(threads, "loops"));
        return this;
    }

    /**
     * Sets the number of this instance of the chain. Each instance has its own topics.
     *
     * @param number 0 or more; 0, the default, for the only instance
     * @return this deployment
     */
    public Deployment instance(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("instance " + number + "; 0 or more is allowed");
        }
        settings.instance = number;
        return given("instance");
    }

    /**
     * Feeds the chain from its own loop instead of through an inlet.
     *
     * @param feeding the source, which is the same object in each run; only for a chain without partitions
     * @return this deployment
     */
    public Deployment from(Source feeding) {
        Objects.requireNonNull(feeding, "source");
        settings.source = () -> feeding;
        settings.isOneSource = true;
        return given("from");
    }

    /**
     * Feeds each partition from its own source, which is created when the partition is opened.
     *
     * @param factory factory, called each time that a partition is opened, or a chain without partitions started
     * @return this deployment
     */
    public Deployment fromEach(Supplier<? extends Source> factory) {
        settings.source = Objects.requireNonNull(factory, "source factory");
        settings.isOneSource = false;
        return given("fromEach");
    }

    /**
     * Sets the handler for the messages of the last topic. Without a handler they stay in the topic for other consumers; if it
     * has none, a topic with a limit, as over the Disruptor, fills up and the chain stalls.
     *
     * @param handler handler, called on the last topic's loop; with partitions, on the loop of each partition
     * @return this deployment
     */
    public Deployment onOutput(OutputHandler handler) {
        Objects.requireNonNull(handler, "output handler");
        settings.output = () -> new SinkService(handler);
        return given("onOutput");
    }

    /**
     * Sets a service that consumes the messages of the last topic. A service that receives the confirmation of an external
     * system later {@link Service#holdsInputs holds inputs} until then.
     *
     * @param factory factory, called for each part that reads the last topic; {@link Service#maxOutputs} of the service has
     *     to be 0
     * @return this deployment
     */
    public Deployment onOutput(Supplier<? extends Service> factory) {
        settings.output = Objects.requireNonNull(factory, "service factory");
        return given("onOutput");
    }

    /**
     * Sets the handler for the values of the last topic. A message of another type than the codec's stops the chain with an
     * {@link UnexpectedTypeException}, unless the {@link ErrorPolicy} names that class.
     *
     * @param <T> the values
     * @param codec creates a decoder for each part that reads the last topic
     * @param handler handler, called on the last topic's loop; of a chain with partitions, on the loop of each
     * @return this deployment
     */
    public <T> Deployment onOutput(Serde<T> codec, TypedOutputHandler<? super T> handler) {
        Objects.requireNonNull(codec, "codec");
        Objects.requireNonNull(handler, "output handler");
        settings.output = () -> SinkService.of(codec.checkedDecoder(), handler);
        return given("onOutput");
    }

    /**
     * Sets what happens to a message when its service throws, unless the chain gives the service its own policy, or when the
     * output handler throws.
     *
     * @param policy {@link ErrorPolicy#stop} by default
     * @return this deployment
     */
    public Deployment onError(ErrorPolicy policy) {
        settings.errors = Objects.requireNonNull(policy, "error policy");
        return given("onError");
    }

    /**
     * Sets the listener that receives the failure that stopped the chain. It is called once, on any thread. Without a listener
     * the failure is logged. A failure that {@link #start} throws is neither reported nor logged.
     *
     * @param listener replaces one that was set before
     * @return this deployment
     */
    public Deployment onFailure(Consumer<? super Throwable> listener) {
        settings.onFailure = Objects.requireNonNull(listener, "failure listener");
        return this;
    }

    /**
     * Closes the chain and opens it again when it fails. A chain that another process keeps out is included: the first
     * start throws the {@link dev.baton.spi.errors.OccupiedException}, and a run that fails later stands by until the other
     * process ends. Not with manual loops.
     *
     * <p>With partitions each of them is closed and opened by itself, while the others continue. The partition remains assigned to its member meanwhile, but the group may still revoke it; messages in
     * progress are then handled by the next member. A membership that fails is not started again.
     *
     * @param policy when the chain is opened again, and when it stops permanently
     * @return this deployment
     */
    public Deployment restart(RestartPolicy policy) {
        settings.restarts = Objects.requireNonNull(policy, "restart policy");
        return this;
    }

    /**
     * Lets the chain stand by while another process runs it, for a rolling update or a hot spare. Requires {@link #restart},
     * and does not apply to partitions, whose group assigns them.
     *
     * <ul>
     *   <li>On a transport that excludes a second writer, {@code start} does not throw an {@link
     *       dev.baton.spi.errors.OccupiedException}: it returns a chain that tries again every {@link
     *       RestartPolicy#STANDBY_PAUSE} and takes over when the other process has ended.
     *   <li>On a transport where the newest writer wins, the start takes over. A process that was replaced at its deciding
     *       topic stands by and opens nothing again, instead of failing.
     * </ul>
     *
     * Meanwhile {@link RunningChain#status} reports {@link dev.baton.status.ChainStatus.Phase#STANDING_BY}, the chain is healthy, and its
     * inlets have no room.
     *
     * @param isStandby whether it stands by; false by default
     * @return this deployment
     */
    public Deployment standby(boolean isStandby) {
        settings.standby = isStandby;
        return isStandby ? given("standby") : this;
    }

    /**
     * Adds a listener for retries, dead letters, batches, back-pressure, snapshots and restarts.
     *
     * @param added listener, called after listeners that were added before
     * @return this deployment
     */
    public Deployment listen(ChainListener added) {
        settings.listener = GuardedListener.with(name, settings.listener, Objects.requireNonNull(added, "listener"));
        return this;
    }

    /**
     * Adds an interceptor for the messages of each part that runs here, outside of those that were added before.
     *
     * @param interceptor the new outermost interceptor
     * @return this deployment
     */
    public Deployment around(MessageInterceptor interceptor) {
        List<MessageInterceptor> all = new ArrayList<>(settings.interceptors);
        all.add(Objects.requireNonNull(interceptor, "interceptor"));
        settings.interceptors = List.copyOf(all);
        return given("around");
    }

    /**
     * Runs only these services here; the others run in other processes. Without a name only the inlet and the sink run here.
     *
     * @param names as {@link Chain#services} returns them
     * @return this deployment
     * @throws IllegalArgumentException for a service the chain does not have
     */
    public Deployment only(String... names) {
        for (String service : names) {
            if (!services.contains(service)) {
                throw new IllegalArgumentException(
                        "chain " + name + " has no service '" + service + "'; it has " + String.join(", ", services));
            }
        }
        settings.only = Set.of(names);
        return given("only");
    }

    /**
     * Sets the maximum number of messages that a service takes in one turn. A batch of a service with long calls ends
     * earlier: about a millisecond after its begin, the call in progress is the last one, and the finished outputs are
     * flushed. With manual loops they are flushed equally often, within one turn.
     *
     * @param most 1 to 1,048,576; 256 by default
     * @return this deployment
     */
    public Deployment batch(int most) {
        settings.batch = PartPlans.checkBatch(most);
        return this;
    }

    /**
     * Sets how long {@link Inlet#send} waits for room before it throws.
     *
     * @param limit ten seconds by default; a negative one counts as zero
     * @return this deployment
     */
    public Deployment sendWithin(Duration limit) {
        settings.sendLimit = Limits.capped("time to send", limit);
        return given("sendWithin");
    }

    /**
     * Sets how long {@link #start} and {@link RunningChain#sharedInlet} wait for a part to open, including {@link
     * Service#onStart}, before they throw. When all parts are open, {@link #start} waits once more as long for the states of
     * services. A call of the transport that has begun by then ends within the transport's limit. If a loop opens a part later,
     * it closes it at once. A failed start waits once more as long, at most ten seconds, for the threads it created.
     *
     * @param limit 60 seconds by default; a negative one counts as zero
     * @return this deployment
     */
    public Deployment openWithin(Duration limit) {
        settings.openLimit = Limits.capped("time to open", limit);
        return this;
    }

    /**
     * Sets whether frames that are sent here have a checksum. It covers header and payload, and makes the longest payload
     * {@value dev.baton.spi.Frame#CHECKSUM_BYTES} bytes shorter. Every reader of such a frame checks it, regardless of this
     * setting, and an altered frame stops the chain with a {@link dev.baton.spi.errors.DamagedTopicException}. A topic may hold frames
     * with and without checksums.
     *
     * @param isWanted false by default
     * @return this deployment
     */
    public Deployment checksums(boolean isWanted) {
        settings.isChecked = isWanted;
        return this;
    }

    /**
     * Sets whether frames that are sent here carry the wall-clock time of their origin ({@link Message#originWallNanos}), so
     * that the origin is known after a reboot and on other hosts. It takes 16 bytes of each frame. Services pass on the origin
     * of their input. Set the same value in all processes of a chain.
     *
     * @param isWanted false by default
     * @return this deployment
     */
    public Deployment wallClock(boolean isWanted) {
        settings.isDated = isWanted;
        return this;
    }

    /**
     * Sets whether services pass the trace context of their inputs ({@link Message#trace}) on to their outputs. It takes 32
     * bytes of each frame that has one, and none of other frames. Set the same value in all processes of a chain.
     *
     * @param isPassedOn false by default
     * @return this deployment
     */
    public Deployment traceContext(boolean isPassedOn) {
        settings.isTraced = isPassedOn;
        return this;
    }

    /**
     * Sets what a service does if its input is not the topic that its outputs answer.
     *
     * @param policy {@link ReplacedInput#REFUSE} by default
     * @return this deployment
     */
    public Deployment replacedInput(ReplacedInput policy) {
        settings.replacedInput = Objects.requireNonNull(policy, "replaced input");
        return this;
    }

    /**
     * Sets what happens to records that cannot be read as frames.
     *
     * @param policy {@link UnreadableFrames#STOP} by default
     * @return this deployment
     */
    public Deployment onUnreadable(UnreadableFrames policy) {
        settings.unreadable = Objects.requireNonNull(policy, "unreadable frames");
        return this;
    }

    /**
     * Sets the position of its topic at which the first part that runs here begins, regardless of what its consumer has
     * acknowledged. It applies to one start: a restart of this deployment continues. Not for partitions.
     *
     * <p>A service skips inputs that its outputs answer: moved back it would send nothing, and moved forward it would leave
     * a gap. So {@link #start} is refused if a topic that services write here holds a message. Instead, begin a chain of
     * another name there ({@link Chain#again}), or a {@linkplain Chain#tap tap}. A first part with a state ({@link
     * KeyedService}, {@link StatefulService}) is refused as well, since its state consists of all inputs from the oldest one on.
     *
     * @param from position of a kind that the transport supports ({@link Transport#startPositions})
     * @return this deployment
     */
    public Deployment startAt(StartPosition from) {
        settings.startAt = Objects.requireNonNull(from, "start position");
        return given("startAt");
    }

    /**
     * Sets the consumer under which the first part that runs here reads its topic, instead of the service's own consumer, whose
     * position then does not move. Not for partitions.
     *
     * @param reader name with the rules of {@link Chain#tap}
     * @return this deployment
     */
    public Deployment consumer(String reader) {
        settings.consumer = ChainNames.checkedConsumer(reader);
        return given("consumer");
    }

    /**
     * Sets the maximum number of inputs that a service may hold ({@link Service#holdsInputs}). Each takes 8 bytes. Over a
     * transport with bounded topics, such as the Disruptor, a topic has to hold more messages than that.
     *
     * @param inputs 1 to 67,108,864; 65,536 by default
     * @return this deployment
     */
    public Deployment maxHeld(int inputs) {
        if (inputs < 1 || inputs > MOST_HELD) {
            throw new IllegalArgumentException(inputs + " inputs held; 1 to " + MOST_HELD + " is allowed");
        }
        settings.maxHeld = inputs;
        return given("maxHeld");
    }

    /**
     * Sets when services with state ({@link KeyedService}, {@link StatefulService}) take snapshots.
     *
     * @param policy {@link SnapshotPolicy#standard} by default: every 10 seconds
     * @return this deployment
     */
    public Deployment snapshots(SnapshotPolicy policy) {
        settings.snapshots = Objects.requireNonNull(policy, "snapshot policy");
        return given("snapshots");
    }

    /**
     * Sets how many requests with an id are remembered, so that a resend is answered and not handled again: {@link
     * Requests#ask(Object, MessageFields, java.util.UUID, Duration)}. None by default.
     *
     * <p>The process that asks remembers requests in memory: each until the given time has passed since its reply arrived, and
     * those without a reply for longer, but never more than the given number. Beyond it, the oldest request with a reply is
     * forgotten first; if none has one, the oldest of those that no caller waits for. On a durable transport, {@link
     * RunningChain#requests} reads the requests of the given time back from the first and the last topic, which may block within
     * {@link #openWithin}. The transport has to {@linkplain dev.baton.spi.Transport#startPositions start at a time}.
     *
     * @param requests maximum number of requests that are remembered, at least as many as may be open, up to 1,048,576
     * @param time time since the reply of a request arrived, and how far back the topics are read; more than zero
     * @return this deployment
     */
    public Deployment resends(int requests, Duration time) {
        if (requests < 1 || requests > MOST_RESENDS) {
            throw new IllegalArgumentException(
                    requests + " requests remembered; 1 to " + MOST_RESENDS + " are allowed");
        }
        if (time.isZero() || time.isNegative()) {
            throw new IllegalArgumentException("requests remembered for " + time + "; more than zero is allowed");
        }
        settings.resends = new OpenRequests.Resends(requests, Limits.nanos("time", time));
        return given("resends");
    }

    /**
     * Splits every topic of the chain into partitions, each of which is an ordered log. Messages with the same key go to the
     * same partition. All partitions run here, unless a group of processes shares them ({@link #member}).
     *
     * <p>A partition is the complete chain over its own topics, so all guarantees of a chain hold for each partition. Between
     * partitions there is no order. Services are created for every partition. They and the output handler are called on the
     * partition's loop, so with several loops on several threads.
     *
     * @param count 1 to 1024; the same in all processes of the chain, and never changed
     * @return this deployment
     */
    public Deployment partitions(int count) {
        settings.partitions = Partitions.of(count);
        return given("partitions");
    }

    /**
     * Shares the partitions with the other processes that run the same parts of the chain. Each partition runs in one of them.
     *
     * @param process name of this process, unique among the processes. A process that is started again under the same name gets
     *     its partitions back without a reassignment
     * @return this deployment
     */
    public Deployment member(String process) {
        Objects.requireNonNull(process, "member name");
        if (!MEMBER.matcher(process).matches()) {
            throw new IllegalArgumentException("member name '" + process
                    + "'; allowed are up to 100 letters, digits, '.', '_' and '-', beginning with a letter or digit");
        }
        settings.member = process;
        return given("member");
    }

    /**
     * Sets how long a member may be silent before its partitions move to others. The same in all members.
     *
     * @param silence 500 ms to 30 min; six seconds by default, which is the minimum that Kafka's brokers allow by default
     * @return this deployment
     */
    public Deployment sessionTimeout(Duration silence) {
        settings.sessionTimeout = checked("session timeout", silence, LEAST_TIMEOUT, MOST_TIMEOUT);
        return given("sessionTimeout");
    }

    /**
     * Sets how long a partition that moves to another process may take to complete and store messages in progress. The other
     * process waits for that; if the time is exceeded, the partition may still be written to when it moves.
     *
     * @param limit 0 to 10 min; 30 seconds by default, as a frame may stay unconfirmed over Kafka
     * @return this deployment
     */
    public Deployment revokeTimeout(Duration limit) {
        settings.revokeTimeout = checked("revoke timeout", limit, Duration.ZERO, LONGEST_REVOKE_TIMEOUT);
        return given("revokeTimeout");
    }

    /**
     * Sets the listener that is called when a partition comes or leaves.
     *
     * @param listener listener, called on the thread that assigns the partition; it must not close the partitions on that
     *     thread. What it throws is logged
     * @return this deployment
     */
    public Deployment onPartition(Consumer<? super PartitionChange> listener) {
        settings.onPartition = Objects.requireNonNull(listener, "partition listener");
        return given("onPartition");
    }

    private static Duration checked(String what, Duration value, Duration least, Duration most) {
        Objects.requireNonNull(value, what);
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(what + " of " + inMillis(value) + " ms; " + least.toMillis() + " to "
                    + most.toMillis() + " ms is allowed");
        }
        return value;
    }

    private static String inMillis(Duration value) {
        return BigDecimal.valueOf(value.getSeconds(), -3)
                .add(BigDecimal.valueOf(value.getNano() / 1_000_000))
                .toPlainString();
    }

    /**
     * Starts the chain: creates missing topics, opens each part on its loop, runs, and returns when the state of every
     * service is restored ({@link KeyedService}, {@link StatefulService}). Inputs after the snapshot may be delivered again after
     * that. May block, for the time of {@link #openWithin}.
     *
     * <p>With {@link Loops#manual} the calling thread restores the states itself, and no message is delivered meanwhile. If
     * a service or a handler starts the chain, on the loop that is to run it, the states on that loop are restored after
     * the return, since the loop gets no other turn before; a failure then goes to {@link #onFailure}.
     *
     * <p>With {@link #restart} only a chain whose first run was open, with all states restored, is opened again. No call
     * waits for the states of later runs: if one cannot be restored, the policy decides.
     *
     * <p>With {@link #partitions} all partitions are opened; if one of them cannot, none is left open. A {@link #member}
     * joins its group and returns before any partition is assigned: when its group assigns a partition, this is opened, and
     * its states are restored after that; {@link #onPartition} is called when it is open, and a failure goes to {@link
     * #onFailure}. If a partition fails later, only that one stops. It remains assigned to its member until the member is
     * closed and started again, or is opened again by {@link #restart}.
     *
     * <p>A start that fails or is interrupted leaves nothing running: if a loop is still opening a part, it closes the part
     * when that ends. It also deletes the topics that it has created, unless they hold a message or are in use; the
     * exception names those that stay. Topics that existed before do not change.
     *
     * @return the running chain; all of its parts in this process are open, and their services have their states
     * @throws dev.baton.spi.errors.TopicMismatchException if {@link #startAt} is set and the chain has sent messages, or if its
     *     topics are not the same as before
     * @throws dev.baton.spi.errors.TransportException if the transport fails, or takes longer than
     *     {@link #openWithin}
     * @throws IllegalArgumentException if an option does not apply or does not fit another one, the transport or a service
     * @throws ServiceFailure if a service throws while it restores its state, for instance an {@link
     *     UnknownSnapshotVersionException}
     * @throws IllegalStateException if a loop does not open its part, or a service does not restore its state, within
     *     {@link #openWithin}, or if the calling thread is interrupted; its interrupt flag remains set
     */
    public RunningChain start() {
        RunningChain running = started.apply(settings.copy()).start();
        settings.startAt = StartPosition.stored(); // it applies to one start
        return running;
    }

    /** The treatment of a record that is not a frame, or whose checksum is wrong, in a topic that a chain reads. */
    public enum UnreadableFrames {
        /** The chain stops with an error that names the position. The default. */
        STOP,
        /**
         * The record is skipped, counted ({@link InputStatus#skipped}) and logged. If its end is not known, the chain stops
         * nevertheless.
         */
        SKIP,
        /**
         * The chain skips the record, as with {@link #SKIP}, after it has written the record as a dead letter ({@link
         * Chain#deadLetterTopic}), with as many of its bytes as the transport can read and a frame can hold; {@link
         * DeadLetter#attempts} is 0. After a crash there may be two letters. On durable transports only.
         */
        DEAD_LETTER
    }

    /**
     * The behaviour of a service if the topic that it reads is not the one that its outputs answer, because it was deleted and
     * created again, restored from a copy, or truncated and then written again.
     */
    public enum ReplacedInput {
        /** The service refuses to start, or stops: nothing is dropped and nothing is repeated. The default. */
        REFUSE,
        /**
         * The service handles every input that the topic holds now and that this consumer has not acknowledged there. None of these
         * is dropped; inputs of the former topic that are in it again are repeated.
         */
        HANDLE_ALL
    }
}
