package dev.baton;

import dev.baton.run.Limits;
import dev.baton.run.Loop;
import dev.baton.run.Loops;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The configuration of one run of a merge. Begun with {@link Merge#on}, completed with {@link #start}. Options have the same
 * meaning as in {@link Deployment}. Confined to one thread.
 */
public final class MergeDeployment {
    private final Merge merge;
    private final Transport transport;
    private Loops loops;
    private Consumer<? super Throwable> onFailure;
    private GuardedListener listener; // null: nobody listens
    private int batch = Deployment.DEFAULT_BATCH;
    private Duration openLimit = Deployment.DEFAULT_OPEN_LIMIT;
    private boolean isChecked;
    private boolean isDated;
    private boolean isTraced;
    private ReplacedInput replacedInput = ReplacedInput.REFUSE;
    private UnreadableFrames unreadable = UnreadableFrames.STOP;

    MergeDeployment(Merge merge, Transport transport) {
        this.merge = merge;
        this.transport = Objects.requireNonNull(transport, "transport");
    }

    /**
     * Sets the loops that run the merge. Required.
     *
     * @param threads closed by the caller, after the merge
     * @return this deployment
     */
    public MergeDeployment with(Loops threads) {
        loops = Objects.requireNonNull(threads, "loops");
        return this;
    }

    /**
     * Sets the listener that receives the failure that stopped the merge. It is called once, on any thread. Without a listener
     * the failure is logged.
     *
     * @param listener replaces one that was set before
     * @return this deployment
     */
    public MergeDeployment onFailure(Consumer<? super Throwable> listener) {
        onFailure = Objects.requireNonNull(listener, "failure listener");
        return this;
    }

    /**
     * Adds a listener for batches and back-pressure: {@link Deployment#listen}.
     *
     * @param added called after listeners that were added before
     * @return this deployment
     */
    public MergeDeployment listen(ChainListener added) {
        listener = GuardedListener.with(merge.name(), listener, Objects.requireNonNull(added, "listener"));
        return this;
    }

    /**
     * Closes the merge and opens it again when it fails, as {@link Deployment#restart} does for a chain.
     *
     * @param policy when the merge is opened again, and when it stops for good
     * @return the deployment under the policy, to be started there
     */
    public SupervisedDeployment restart(RestartPolicy policy) {
        return new SupervisedDeployment(this::supervised, policy);
    }

    private SupervisedChain.Runs supervised() {
        check();
        SupervisedDeployment.checkNotManual(loops, "a merge is opened again");
        return new SupervisedChain.Runs(
                merge.name(),
                0,
                listener,
                onFailure,
                loops.environment(),
                this::run,
                merge.topic(),
                "merge " + merge.name() + " has no inlet: it reads what chains write",
                0);
    }

    /**
     * Sets the maximum number of messages that are taken from one topic in one turn: {@link Deployment#batch}.
     *
     * @param most 1 to 1,048,576
     * @return this deployment
     */
    public MergeDeployment batch(int most) {
        batch = PartPlans.checkBatch(most);
        return this;
    }

    /**
     * Sets how long {@link #start} may take before it throws: {@link Deployment#openWithin}.
     *
     * @param limit 60 seconds by default; a negative one counts as zero
     * @return this deployment
     */
    public MergeDeployment openWithin(Duration limit) {
        openLimit = Limits.capped("time to open", limit);
        return this;
    }

    /**
     * Sets whether merged frames have a checksum: {@link Deployment#checksums}.
     *
     * @param isWanted false by default
     * @return this deployment
     */
    public MergeDeployment checksums(boolean isWanted) {
        isChecked = isWanted;
        return this;
    }

    /**
     * Sets whether merged frames carry the wall-clock time of their origin: {@link Deployment#wallClock}.
     *
     * @param isWanted false by default
     * @return this deployment
     */
    public MergeDeployment wallClock(boolean isWanted) {
        isDated = isWanted;
        return this;
    }

    /**
     * Sets whether merged frames carry the trace context of their input: {@link Deployment#traceContext}.
     *
     * @param isPassedOn false by default
     * @return this deployment
     */
    public MergeDeployment traceContext(boolean isPassedOn) {
        isTraced = isPassedOn;
        return this;
    }

    /**
     * Sets what the merge does if a topic is not the one that it has merged before: {@link Deployment#replacedInput}.
     *
     * @param policy {@link ReplacedInput#REFUSE} by default
     * @return this deployment
     */
    public MergeDeployment replacedInput(ReplacedInput policy) {
        replacedInput = Objects.requireNonNull(policy, "replaced input");
        return this;
    }

    /**
     * Sets what happens to records that cannot be read as frames: {@link Deployment#onUnreadable}.
     *
     * @param policy {@link UnreadableFrames#STOP} by default
     * @return this deployment
     */
    public MergeDeployment onUnreadable(UnreadableFrames policy) {
        unreadable = Objects.requireNonNull(policy, "unreadable frames");
        return this;
    }

    /**
     * Starts the merge: creates the merged topic unless it exists, opens everything on one loop, and runs. Returns when all topics
     * are open. May block. Leaves nothing if it fails, also no topic: {@link Deployment#start}.
     *
     * @return the running merge, which has no inlet, and whose status has a part for each topic. A close first merges the
     *     messages that the topics held when the close began, as far as the transport knows
     * @throws dev.baton.spi.TopicMismatchException when the merged topic was written by a merge of other topics
     * @throws dev.baton.spi.TransportException if the transport fails, for instance because one of the topics does not exist
     */
    public RunningChain start() {
        check();
        return run(onFailure);
    }

    private void check() {
        if (loops == null) {
            throw new IllegalStateException("no loops to run on; name them with with(Loops.cooperative(1)), say");
        }
        int longest =
                new Writers(isChecked, isDated, isTraced, transport.maxPayload(), "", topic().input(0)).maxPayload();
        if (longest < 0) {
            throw new IllegalArgumentException("a payload of " + transport.maxPayload()
                    + " bytes at most is too short for a merge of "
                    + merge.inputs().size()
                    + " topics, which takes " + (transport.maxPayload() - longest)
                    + "; raise the transport's longest payload");
        }
    }

    /** Starts what was checked. */
    private RunningChain run(Consumer<? super Throwable> failed) {
        CreatedTopics created = new CreatedTopics(transport, List.of());
        try {
            created.create(List.of(merge.topic()));
            return open(failed);
        } catch (RuntimeException | Error failure) {
            created.remove(failure);
            throw failure;
        }
    }

    private RunningChain open(Consumer<? super Throwable> failed) {
        ChainState state = new ChainState(merge.name(), failed, listener, loops.environment());
        RunningChain.Waits waits = new RunningChain.Waits(0, openLimit.toNanos());
        RunningChain running = new RunningChain(
                null,
                transport,
                loops,
                state,
                waits,
                new InletConnection(transport, loops),
                writers(topic().input(0)),
                failure -> {}); // no part has a state
        Loop loop = loops.nextLoop();
        running.start(() -> List.of(section(loop, state)), List.of(loop));
        return running;
    }

    private MergedTopic topic() {
        return new MergedTopic(merge.topic(), merge.inputs());
    }

    private Section section(Loop loop, ChainState state) {
        MergedTopic merged = topic();
        List<ServicePart> parts = new ArrayList<>();
        for (int i = 0; i < merge.inputs().size(); i++) {
            parts.add(new ServicePart(plan(merged.input(i), loop), state));
        }
        int sweeps = transport.guarantees().contains(Guarantee.IMMEDIATE) ? 1 : 2;
        return new Section(transport, state, loop, List.of(new MergePart(merge.name(), merged, parts, state)), sweeps);
    }

    private ServicePlan plan(MergedTopic.Input input, Loop loop) {
        return new ServicePlan(
                merge.name(),
                merge.consumer(),
                0,
                0,
                MergeDeployment::pass,
                merge.inputs().get(input.index()),
                merge.topic(),
                null,
                null,
                batch,
                ErrorPolicy.stop(),
                loop,
                null,
                writers(input),
                new ServicePlan.Edges(replacedInput, unreadable, 1, true, null, null));
    }

    private static void pass(Message in, Outlet out) {
        if (!out.forward(in)) {
            throw new IllegalStateException("the transport refused a claim for which it had room");
        }
    }

    private Writers writers(MergedTopic.Input input) {
        return new Writers(isChecked, isDated, isTraced, transport.maxPayload(), merge.topology(), input);
    }
}
