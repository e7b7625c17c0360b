package dev.baton;

import dev.baton.run.Limits;
import dev.baton.run.Loops;
import dev.baton.spi.Guarantee;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.StartPosition;
import dev.baton.spi.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The configuration of one run of a chain: its transport, its loops, its input and the consumer of its outputs. Begun with
 * {@link Chain#on}, completed with {@link #start}. Confined to one thread.
 */
public final class Deployment {
    static final int DEFAULT_BATCH = 256;
    static final Duration DEFAULT_OPEN_LIMIT = Duration.ofSeconds(60);
    private static final int DEFAULT_HELD = 1 << 16;
    private static final int MOST_HELD = 1 << 26;

    private final Chain chain;
    private final Transport transport;
    private Loops loops;
    private int instance;
    private int partitions; // 0: none
    private Supplier<? extends Source> source; // null: none; asked for each partition
    private boolean isOneSource;
    private Supplier<? extends Service> output; // null: none; asked for each part that reads the last topic
    private ErrorPolicy errors = ErrorPolicy.stop();
    private Consumer<? super Throwable> onFailure;
    private GuardedListener listener; // null: nobody listens
    private final List<MessageInterceptor> interceptors = new ArrayList<>(); // the outermost last
    private Set<String> only;
    private int batch = DEFAULT_BATCH;
    private Duration sendLimit = Duration.ofSeconds(10);
    private Duration openLimit = DEFAULT_OPEN_LIMIT;
    private boolean isChecked;
    private boolean isDated;
    private boolean isTraced;
    private ReplacedInput replacedInput = ReplacedInput.REFUSE;
    private UnreadableFrames unreadable = UnreadableFrames.STOP;
    private int maxHeld = DEFAULT_HELD;
    private SnapshotPolicy snapshots = SnapshotPolicy.standard();
    private StartPosition startAt; // null: where consumers left off; forgotten once it has started there
    private String consumer; // of the first part; null: the part's own

    Deployment(Chain chain, Transport transport) {
        this.chain = chain;
        this.transport = Objects.requireNonNull(transport, "transport");
    }

    /**
     * Sets the loops that run the chain. Required.
     *
     * @param threads closed by the caller, after the chain
     * @return this deployment
     */
    public Deployment with(Loops threads) {
        loops = Objects.requireNonNull(threads, "loops");
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
        instance = number;
        return this;
    }

    /**
     * Feeds the chain from its own loop instead of through an inlet.
     *
     * @param feeding the source, which is the same object in each run; only for a chain without partitions
     * @return this deployment
     */
    public Deployment from(Source feeding) {
        Objects.requireNonNull(feeding, "source");
        source = () -> feeding;
        isOneSource = true;
        return this;
    }

    /**
     * Feeds each partition from its own source, which is created when the partition is opened.
     *
     * @param factory called each time that a partition is opened, or a chain without partitions started
     * @return this deployment
     */
    public Deployment fromEach(Supplier<? extends Source> factory) {
        source = Objects.requireNonNull(factory, "source factory");
        isOneSource = false;
        return this;
    }

    /**
     * Sets the handler for the messages of the last topic. Without a handler they stay in the topic for other consumers.
     *
     * @param handler called on the last topic's loop; with partitions, on the loop of each partition
     * @return this deployment
     */
    public Deployment onOutput(OutputHandler handler) {
        Objects.requireNonNull(handler, "output handler");
        output = () -> new OutletService(handler);
        return this;
    }

    /**
     * Sets a service that consumes the messages of the last topic. A service that learns only later whether a message has
     * arrived elsewhere {@link Service#holdsInputs holds inputs} until then.
     *
     * @param factory called for each part that reads the last topic; {@link Service#maxOutputs} of the service has to be 0
     * @return this deployment
     */
    public Deployment onOutput(Supplier<? extends Service> factory) {
        output = Objects.requireNonNull(factory, "service factory");
        return this;
    }

    /**
     * Sets the handler for the values of the last topic. A message of another type than the codec's stops the chain with an
     * {@link UnexpectedTypeException}, unless the {@link ErrorPolicy} names that class.
     *
     * @param <T> the values
     * @param codec creates a decoder for each part that reads the last topic
     * @param handler called on the last topic's loop; of a chain with partitions, on the loop of each
     * @return this deployment
     */
    public <T> Deployment onOutput(Serde<T> codec, TypedOutputHandler<? super T> handler) {
        Objects.requireNonNull(codec, "codec");
        Objects.requireNonNull(handler, "output handler");
        output = () -> OutletService.of(codec.checkedDecoder(), handler);
        return this;
    }

    /**
     * Sets what happens to a message when its service throws, unless the chain gives the service its own policy, or when the
     * output handler throws.
     *
     * @param policy {@link ErrorPolicy#stop} by default
     * @return this deployment
     */
    public Deployment onError(ErrorPolicy policy) {
        errors = Objects.requireNonNull(policy, "error policy");
        return this;
    }

    /**
     * Sets the listener that receives the failure that stopped the chain. It is called once, on any thread. Without a listener
     * the failure is logged.
     *
     * @param listener replaces one that was set before
     * @return this deployment
     */
    public Deployment onFailure(Consumer<? super Throwable> listener) {
        onFailure = Objects.requireNonNull(listener, "failure listener");
        return this;
    }

    /**
     * Closes the chain and opens it again when it fails. For partitions use {@link PartitionedDeployment#restart}.
     *
     * @param policy when the chain is opened again, and when it stops for good
     * @return the deployment under the policy, to be started there
     */
    public SupervisedDeployment restart(RestartPolicy policy) {
        return new SupervisedDeployment(() -> SupervisedDeployment.runs(this), policy);
    }

    /**
     * Adds a listener for retries, dead letters, batches, back-pressure, snapshots and restarts.
     *
     * @param added called after listeners that were added before
     * @return this deployment
     */
    public Deployment listen(ChainListener added) {
        listener = GuardedListener.with(chain.name(), listener, Objects.requireNonNull(added, "listener"));
        return this;
    }

    /**
     * Adds an interceptor for the messages of each part that runs here, outside of those that were added before.
     *
     * @param interceptor the new outermost interceptor
     * @return this deployment
     */
    public Deployment around(MessageInterceptor interceptor) {
        interceptors.add(Objects.requireNonNull(interceptor, "interceptor"));
        return this;
    }

    /**
     * Runs only these services here; the others run in other processes. Without a name only the inlet and the outlet run here.
     *
     * @param services as {@link Chain#services} names them
     * @return this deployment
     * @throws IllegalArgumentException for a service the chain does not have
     */
    public Deployment only(String... services) {
        List<String> known = chain.services();
        for (String service : services) {
            if (!known.contains(service)) {
                throw new IllegalArgumentException("chain " + chain.name() + " has no service '" + service
                        + "'; it has " + String.join(", ", known));
            }
        }
        only = Set.of(services);
        return this;
    }

    /**
     * Sets the maximum number of messages that a service takes in one turn. A turn of a service whose calls take time ends
     * earlier: about a millisecond after its begin, with the call that is in progress then, the finished outputs are handed
     * over. With manual loops they are handed over as often, in the same turn.
     *
     * @param most 1 to 1,048,576; {@value #DEFAULT_BATCH} by default
     * @return this deployment
     */
    public Deployment batch(int most) {
        batch = PartPlans.checkBatch(most);
        return this;
    }

    /**
     * Sets how long {@link Inlet#send} waits for room before it throws.
     *
     * @param limit ten seconds by default; a negative one counts as zero
     * @return this deployment
     */
    public Deployment sendWithin(Duration limit) {
        sendLimit = Limits.capped("time to send", limit);
        return this;
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
        openLimit = Limits.capped("time to open", limit);
        return this;
    }

    /**
     * Sets whether frames that are sent here have a checksum. It covers header and payload, and makes the longest payload
     * {@value dev.baton.spi.Frame#CHECKSUM_BYTES} bytes shorter. Every reader of such a frame checks it, regardless of this
     * setting, and an altered frame stops the chain with a {@link dev.baton.spi.DamagedTopicException}. A topic may hold frames
     * with and without checksums.
     *
     * @param isWanted false by default
     * @return this deployment
     */
    public Deployment checksums(boolean isWanted) {
        isChecked = isWanted;
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
        isDated = isWanted;
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
        isTraced = isPassedOn;
        return this;
    }

    /**
     * Sets what a service does if its input is not the topic that its outputs answer.
     *
     * @param policy {@link ReplacedInput#REFUSE} by default
     * @return this deployment
     */
    public Deployment replacedInput(ReplacedInput policy) {
        replacedInput = Objects.requireNonNull(policy, "replaced input");
        return this;
    }

    /**
     * Sets what happens to records that cannot be read as frames.
     *
     * @param policy {@link UnreadableFrames#STOP} by default
     * @return this deployment
     */
    public Deployment onUnreadable(UnreadableFrames policy) {
        unreadable = Objects.requireNonNull(policy, "unreadable frames");
        return this;
    }

    /**
     * Sets the position of its topic at which the first part that runs here begins, regardless of what its consumer has
     * acknowledged. It applies to one start: a restart of this deployment continues. Not for partitions.
     *
     * <p>A service skips inputs that its outputs answer: moved back it would send nothing, and moved forward it would leave a
     * gap. So {@link #start} is refused if a topic that services write here holds a message. Instead, begin a chain of another
     * name there ({@link Chain#again}), or a {@link Tap}. A first part with a state ({@link StatefulService}) is refused as
     * well, since its state consists of all inputs from the oldest one on.
     *
     * @param from position of a kind that the transport supports ({@link Transport#startPositions})
     * @return this deployment
     */
    public Deployment startAt(StartPosition from) {
        startAt = Objects.requireNonNull(from, "start position");
        return this;
    }

    /**
     * Sets the consumer under which the first part that runs here reads its topic, instead of the service's own consumer, whose
     * position then does not move. Not for partitions.
     *
     * @param name name with the rules of {@link Tap#as}
     * @return this deployment
     */
    public Deployment consumer(String name) {
        consumer = ChainNames.checkedConsumer(name);
        return this;
    }

    /**
     * Sets the maximum number of inputs that a service may hold ({@link Service#holdsInputs}). Each takes 8 bytes. Over a
     * transport with bounded topics, such as the Disruptor, a topic has to hold more messages than that.
     *
     * @param inputs 1 to 67,108,864; {@value #DEFAULT_HELD} by default
     * @return this deployment
     */
    public Deployment maxHeld(int inputs) {
        if (inputs < 1 || inputs > MOST_HELD) {
            throw new IllegalArgumentException(inputs + " inputs held; 1 to " + MOST_HELD + " is allowed");
        }
        maxHeld = inputs;
        return this;
    }

    /**
     * Sets when services with state ({@link StatefulService}) take snapshots.
     *
     * @param policy {@link SnapshotPolicy#standard} by default: every 10 seconds
     * @return this deployment
     */
    public Deployment snapshots(SnapshotPolicy policy) {
        snapshots = Objects.requireNonNull(policy, "snapshot policy");
        return this;
    }

    /**
     * Splits every topic of the chain into partitions, each of which is an ordered log. Messages with the same key go to the
     * same partition. Several processes can share the partitions.
     *
     * @param count 1 to 1024; the same in all processes of the chain, and never changed
     * @return the deployment with partitions, to be started there
     */
    public PartitionedDeployment partitions(int count) {
        PartitionedDeployment partitioned = new PartitionedDeployment(this, Partitions.of(count));
        partitions = count;
        return partitioned;
    }

    /**
     * Starts the chain: creates missing topics, opens each part on its loop, runs, and returns when every service with state has
     * restored it ({@link StatefulService#restoreState}). Inputs behind the snapshot may be delivered again after that. May block,
     * for the time of {@link #openWithin}.
     *
     * <p>With {@link Loops#manual} the calling thread restores the states itself, and no message is delivered meanwhile. If a
     * service or a handler starts the chain, on the loop that is to run it, the states on that loop are restored after the
     * return, since the loop gets no other turn before; a failure then goes to {@link #onFailure}.
     *
     * <p>A start that fails or is interrupted leaves nothing running: if a loop is still opening a part, it closes the part when
     * that ends. It also deletes the topics that it has created, unless they hold a message or are in use; the exception names
     * those that stay. Topics that existed before do not change.
     *
     * @return the running chain; all of its parts in this process are open, and their services have their states
     * @throws dev.baton.spi.TopicMismatchException if {@link #startAt} is set and the chain has sent messages, or if its topics
     *     are not the same as before
     * @throws dev.baton.spi.TransportException if the transport fails
     * @throws ServiceFailure if a service throws while it restores its state, for instance an {@link
     *     UnknownSnapshotVersionException}
     * @throws IllegalStateException if a loop does not open its part, or a service does not restore its state, within {@link
     *     #openWithin}, or if the calling thread is interrupted; its interrupt flag stays set
     */
    public RunningChain start() {
        check();
        RunningChain running = run(onFailure);
        running.awaitRestored();
        return running;
    }

    /** Opens what was checked; the states of services may not be restored yet. */
    RunningChain run(Consumer<? super Throwable> failed) {
        CreatedTopics created = created();
        try {
            created.create(topics());
            RunningChain running = start(
                    UnaryOperator.identity(), failed, new InletConnection(transport, loops), created, created::remove);
            startAt = null;
            return running;
        } catch (RuntimeException | Error failure) {
            created.remove(failure);
            throw failure;
        }
    }

    /** The topics that one start creates. */
    CreatedTopics created() {
        return new CreatedTopics(transport, plans().consumers());
    }

    void check() {
        if (loops == null) {
            throw new IllegalStateException("no loops to run on; name them with with(Loops.cooperative(1)), say");
        }
        if (only != null && !transport.guarantees().contains(Guarantee.CROSS_PROCESS)) {
            throw new IllegalArgumentException(
                    "transport " + transport.name() + " cannot cross processes, so a chain cannot run there in parts");
        }
        if (source != null && chain.beginning() != null) {
            throw new IllegalArgumentException("chain " + chain.name() + " begins at topic '" + topic(0)
                    + "' of another chain, which feeds it; it takes no source");
        }
        plans().check(writers().maxPayload(), partitions > 0);
    }

    private Writers writers() {
        return new Writers(isChecked, isDated, isTraced, transport.maxPayload(), Writers.topologyOf(chain));
    }

    /**
     * Runs over topics that exist, and have these names there.
     *
     * @param created creates the topics of snapshots
     * @param onFailedStart called with the failure, after everything is closed, if a state cannot be restored
     */
    RunningChain start(
            UnaryOperator<String> topics,
            Consumer<? super Throwable> failed,
            InletConnection inletConnection,
            CreatedTopics created,
            Consumer<Throwable> onFailedStart) {
        String first = chain.beginning() == null ? topics.apply(topic(0)) : null;
        int partition = first == null ? PartitionTopic.NONE : PartitionTopic.partition(first);
        ChainState state = new ChainState(chain.name(), instance, partition, failed, listener, loops.environment());
        Writers writers = writers();
        RunningChain.Waits waits = new RunningChain.Waits(sendLimit.toNanos(), openLimit.toNanos());
        PartPlans plans = plans();
        RunningChain running =
                new RunningChain(first, transport, loops, state, waits, inletConnection, writers, onFailedStart);
        running.start(
                source == null ? null : new SourcePart(first, source.get(), instance, partitions, state, writers),
                Sections.placed(
                        loops,
                        plans.parts(),
                        (index, loop, next) ->
                                ServicePart.of(plans.plan(topics, index, loop, next, writers, created), state)));
        return running;
    }

    Chain chain() {
        return chain;
    }

    int instance() {
        return instance;
    }

    Transport transport() {
        return transport;
    }

    Loops loops() {
        return loops;
    }

    boolean hasSource() {
        return source != null;
    }

    /** Whether there is a source that feeds one topic only. */
    boolean hasOneSource() {
        return source != null && isOneSource;
    }

    Consumer<? super Throwable> failureListener() {
        return onFailure;
    }

    ChainListener listener() {
        return listener;
    }

    long sendLimit() {
        return sendLimit.toNanos();
    }

    /** The chain's own name for a topic of this instance. */
    String topic(int index) {
        return chain.topic(instance, index);
    }

    /** The chain's own names for all topics of its own that it writes or reads here. */
    List<String> topics() {
        return plans().topics();
    }

    /** Which parts run here, as indices of the topics that they read, in order. */
    List<Integer> parts() {
        return plans().parts();
    }

    private PartPlans plans() {
        return new PartPlans(
                chain,
                transport,
                instance,
                partitions,
                only,
                output,
                errors,
                List.copyOf(interceptors),
                batch,
                replacedInput,
                unreadable,
                maxHeld,
                snapshots,
                new PartPlans.Beginning(startAt, consumer));
    }
}
