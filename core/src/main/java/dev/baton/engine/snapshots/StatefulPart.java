package dev.baton.engine.snapshots;

import dev.baton.Deployment.ReplacedInput;
import dev.baton.Service;
import dev.baton.ServiceFailure;
import dev.baton.engine.chain.ChainState;
import dev.baton.engine.chain.Failures;
import dev.baton.engine.cycle.DrainPoint;
import dev.baton.engine.cycle.DutyCycle;
import dev.baton.engine.cycle.InputOwner;
import dev.baton.engine.cycle.Part;
import dev.baton.engine.cycle.Upstream;
import dev.baton.engine.plan.PartPlan;
import dev.baton.engine.recovery.ProcessedInputs;
import dev.baton.engine.recovery.Redelivery;
import dev.baton.engine.state.StateContents;
import dev.baton.engine.writing.RedriveMark;
import dev.baton.spi.Cause;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import dev.baton.status.PartStatus;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/**
 * The part of a service with state: restores the state before the first input, takes snapshots between turns, and
 * acknowledges only inputs that snapshots contain.
 *
 * <p>A snapshot is taken when the outputs of every consumed input are flushed. It records the newest input and the newest
 * output at that time, and is completed when that output is stored. After a restart the inputs after the snapshot are
 * redelivered, and as many of their outputs are dropped as the topic already holds after the recorded output. Confined to
 * its loop.
 */
public final class StatefulPart extends Part implements InputOwner {
    private final PartPlan plan;
    private final ChainState state;
    private final TopicReader reader;
    private final TopicWriter writer;
    private final DutyCycle cycle;
    private final CompletableFuture<Void> stateReady = new CompletableFuture<>();
    private final StateContents contents;
    private final Snapshots snapshots;
    private final long startNanos;
    private boolean isRestored;
    private boolean hasCause; // an input or a callback was found that may lead to outputs
    private boolean isDropping; // whether outputs are dropped because they are stored
    private final Deque<Restoration> toRestore = new ArrayDeque<>(); // snapshots that make up the state, base first
    private boolean isFound; // the snapshots are loaded
    private boolean isLost; // the state begins empty, although inputs were acknowledged
    private SnapshotEnd restored; // null if the state began empty
    private boolean isRecounted; // the next snapshot precedes further outputs, as redriven frames follow the last one
    private long redeliveredUpTo; // input, while it is recounted
    private long restoredNanos = PartStatus.UNKNOWN;

    /** A snapshot that is being restored. */
    private record Restoration(SnapshotBytes in, int version) {}

    /**
     * Creates the part over open topics; {@link #start} makes the first call.
     *
     * @param topics topics of the service, without that of its snapshots
     * @param startNanos time at which their opening began
     */
    public StatefulPart(
            PartPlan plan,
            ChainState state,
            DrainPoint drain,
            DutyCycle.OpenTopics topics,
            TopicWriter snapshotWriter,
            TopicReader snapshotReader,
            long startNanos) {
        super(state.environment(), drain);
        this.plan = plan;
        this.state = state;
        this.startNanos = startNanos;
        reader = topics.reader();
        writer = topics.writer();
        cycle = new DutyCycle(plan, state, drain, topics, this);
        contents = cycle.keyedStates() == null ? StateContents.of(plan.service().state()) : cycle.keyedStates();
        snapshots = new Snapshots(plan, contents, snapshotWriter, snapshotReader, environment, this::fits);
    }

    /** Makes the first call of the service. Called once. */
    public void start() {
        cycle.start();
    }

    /** Returns a future that completes when the state of the service is restored. Any thread. */
    public CompletableFuture<Void> stateReady() {
        return stateReady;
    }

    /** Throws if the transport cannot store snapshots, or if the service holds inputs by itself. */
    public static void check(Transport transport, int maxPayload, String name, Service service) {
        if (!transport.guarantees().contains(Guarantee.DURABLE)) {
            throw new IllegalArgumentException("service " + name + " has a state, but topics of transport "
                    + transport.name() + " do not survive the process; use a durable transport, or"
                    + " fields of the service, which begin anew with each start");
        }
        if (maxPayload < SnapshotEnd.BYTES) {
            throw new IllegalArgumentException("a payload of " + maxPayload
                    + " bytes at most is too short for snapshots, which take " + SnapshotEnd.BYTES
                    + "; raise the transport's longest payload");
        }
        if (service.state() != null && service.keyedStateVersion() >= 0) {
            throw new IllegalArgumentException("service " + name
                    + " has keyed state and is a StatefulService as well; use one of them for all of its state");
        }
        if (service.holdsInputs()) {
            throw new IllegalArgumentException(
                    "service " + name
                            + " holds inputs and has a state: its snapshots hold the inputs, so holdsInputs has to return false");
        }
    }

    /**
     * Returns the exception for a start position other than the oldest, because earlier inputs would be missing in the
     * state.
     */
    public static IllegalArgumentException refusedStart(String name, StartPosition from) {
        return new IllegalArgumentException(
                "service " + name + " has a state, which is made of all inputs from the oldest"
                        + " one on: it cannot start at " + from
                        + "; a chain with topics of its own begins with an empty"
                        + " state at the oldest input when it is given no start position");
    }

    /** Returns whether a snapshot matches the current topics. */
    private boolean fits(SnapshotEnd end) {
        if (cycle.answered().isReplaced()) {
            return false;
        }
        long newest = reader.found().newest();
        boolean isOther =
                ProcessedInputs.isOther(reader.found().identity(), end.origin().topic());
        if (isOther || newest != TopicReader.UNKNOWN && end.input() > newest) {
            replaced(isOther ? "but that topic was deleted and created again" : "but that topic ends at " + newest);
            return false;
        }
        return end.output() <= writer.sequence(); // otherwise outputs that it contains were lost
    }

    private void replaced(String how) {
        String what = "a snapshot in topic '" + plan.snapshots() + "' contains inputs of topic '" + plan.input() + "', "
                + how;
        if (plan.edges().replacedInput() == ReplacedInput.REFUSE) {
            throw new TopicMismatchException(
                    what + ". Restore the topic, or delete the other topics of the chain as well,"
                            + " those of snapshots included; or begin with an empty state",
                    TopicMismatchException.Remedy.HANDLE_ALL);
        }
        state.warn(what + "; it is not used, as ReplacedInput.HANDLE_ALL specifies");
    }

    @Override
    public String name() {
        return plan.name();
    }

    @Override
    public TransportException failure() {
        TransportException ended = cycle.failure();
        return ended == null ? snapshots.failure() : ended;
    }

    @Override
    public int doWork() {
        if (drainedAt() != Upstream.NOT_YET) {
            return 0;
        }
        if (!isRestored) {
            return restore();
        }
        int work = 0;
        if (snapshots.isWriting()) {
            work = write();
        } else if (isDue() || isRecounted && isRecountable()) {
            snapshots.begin(endOfNext(), cycle.consumedPosition());
            if (state.listener() != null) {
                state.listener().onSnapshotBegun(plan.name(), cycle.consumed());
            }
            work = 1;
        }
        if (snapshots.isSaving() || isRecounted && snapshots.isWriting()) {
            return work; // no inputs while the service writes its state, or while its outputs are counted anew
        }
        work += runCycle();
        if (hasCause && !snapshots.isOwned()) {
            work += runCycle(); // an input was found in this turn
        }
        if (isDropping && !cycle.isRedelivering()) {
            endDropping();
        }
        return work;
    }

    /** Returns whether the snapshot can begin that separates redriven frames from further outputs. */
    private boolean isRecountable() {
        if (isDropping || cycle.isRedelivering() || cycle.consumed() < redeliveredUpTo) {
            return false;
        }
        hasCause = true;
        return snapshots.isOwned();
    }

    @Override
    public int room() {
        if (!isRecounted) {
            return Integer.MAX_VALUE;
        }
        long left = redeliveredUpTo - cycle.consumed();
        return cycle.consumed() == TopicReader.UNKNOWN ? 1 : (int) Math.min(Integer.MAX_VALUE, Math.max(0, left));
    }

    @Override
    public boolean maySend() {
        return !isRecounted;
    }

    /** Runs a turn of the duty cycle. If something may lead to outputs, this start has to own its snapshots first. */
    private int runCycle() {
        boolean hasState = restored != null || cycle.consumed() > 0;
        hasCause |= plan.ticking() != null || hasState && state.isClosing();
        if (hasCause && !snapshots.isOwned()) {
            int work = snapshots.own();
            if (!snapshots.isOwned()) {
                return work;
            }
        }
        return cycle.doWork();
    }

    @Override
    public boolean mayTake() {
        hasCause = true;
        return snapshots.isOwned();
    }

    private int restore() {
        int work = snapshots.load();
        if (!snapshots.isLoaded()) {
            return work;
        }
        if (!isFound) {
            isFound = true;
            findState();
        }
        if (!toRestore.isEmpty()) {
            restore(toRestore.peek());
            return work + 1;
        }
        contents.restored();
        if (!isLost) {
            redeliver();
        }
        snapshots.restored(restored == null);
        restoredNanos = environment.nanoTime() - startNanos;
        isRestored = true;
        if (state.listener() != null) {
            state.listener().onRestored(plan.name(), restored == null ? 0 : restored.input(), restoredNanos);
        }
        stateReady.complete(null);
        return work + 1;
    }

    private void findState() {
        SnapshotScan.Whole newest = snapshots.newest();
        isLost = isLost(newest == null ? 0 : newest.end().input());
        if (isLost) {
            beginEmpty();
        } else if (newest == null) {
            cycle.dropInputs(0, cycle.answered().input());
        } else {
            restored = newest.end();
            cycle.dropInputs(restored.input(), restored.origin());
            cycle.restoredTime(restored.time());
            snapshots
                    .newestState()
                    .forEach(each -> toRestore.add(new Restoration(
                            new SnapshotBytes(each.chunks()), each.end().version())));
        }
    }

    /** Begins with an empty state after the inputs that were acknowledged or answered. */
    private void beginEmpty() {
        ProcessedInputs answered = cycle.answered();
        long begin = Math.max(reader.found().acknowledged(), answered.upTo());
        cycle.dropInputs(begin, begin == answered.upTo() ? answered.input() : InputRef.UNKNOWN);
    }

    /** Restores a slice of one of the snapshots of which the state consists. */
    private void restore(Restoration next) {
        try {
            if (contents.restore(next.in(), next.version())) {
                toRestore.remove();
            }
        } catch (Exception thrown) {
            throw new ServiceFailure(plan.name(), plan.input(), ServiceFailure.NO_MESSAGE, thrown);
        }
    }

    private void redeliver() {
        long before = restored == null ? 0 : restored.output();
        long stored = RedriveMark.ownOutputs(writer) - before;
        isRecounted = RedriveMark.isRedriven(writer.found()) && writer.sequence() > before;
        redeliveredUpTo = restored == null ? 0 : restored.input();
        if (stored > 0 && !cycle.answered().isReplaced()) {
            isDropping = true;
            long last = Cause.input(writer.found().cause());
            redeliveredUpTo = Math.max(redeliveredUpTo, last);
            cycle.redeliver(Redelivery.upTo(last, writer.found()), stored);
        }
    }

    /** Returns whether acknowledged inputs are in no snapshot, so that the state lacks them. */
    private boolean isLost(long contained) {
        if (reader.found().acknowledged() <= contained) {
            return false;
        }
        String what = "service " + plan.name() + " has acknowledged the inputs up to "
                + reader.found().acknowledged()
                + " of topic '" + plan.input() + "', and topic '" + plan.snapshots() + "' holds "
                + (contained == 0 ? "no usable snapshot" : "only a snapshot of those up to " + contained);
        if (!plan.edges().snapshots().startsEmpty()) {
            throw new TopicMismatchException(
                    what + ": its state is lost, or the service had none before. Restore the"
                            + " topic of the snapshots; or begin with an empty state",
                    TopicMismatchException.Remedy.START_EMPTY);
        }
        state.warn(what + "; it begins with an empty state, as SnapshotPolicy.startEmpty specifies");
        return true;
    }

    private void endDropping() {
        isDropping = false;
        long missing = cycle.endDropping();
        if (missing > 0) {
            state.warn("service " + plan.name() + " has sent " + missing + " outputs fewer than are stored in topic '"
                    + plan.output()
                    + "' when its inputs were redelivered: it is another build, or depends on more than its"
                    + " inputs and the time of its context");
        }
    }

    private boolean isDue() {
        return hasChanged() && (cycle.hasEnded() || snapshots.isDue(cycle.consumed() - lastInput()));
    }

    private long lastInput() {
        SnapshotEnd last = snapshots.lastBegun();
        return last == null ? 0 : last.input();
    }

    /** Returns whether the service has been called since the last snapshot. */
    private boolean hasChanged() {
        SnapshotEnd last = snapshots.lastBegun();
        long output = last == null ? 0 : last.output();
        return isRestored
                && !cycle.isDropping()
                && !cycle.isRedelivering()
                && cycle.consumed() >= lastInput()
                && (cycle.consumed() > lastInput() || writer.sequence() > output);
    }

    private SnapshotEnd endOfNext() {
        return new SnapshotEnd(
                contents.version(),
                cycle.consumed(),
                new InputRef(
                        reader.found().identity(),
                        cycle.author() == null ? 0 : cycle.author().id()),
                writer.sequence(),
                cycle.newestTime(),
                environment.wallNanos(),
                SnapshotEnd.Content.NONE);
    }

    private int write() {
        int work = snapshots.write(writer.storedSequence());
        if (!snapshots.isWriting()) {
            isRecounted = false;
            if (snapshots.releasedInput() != SnapshotScan.NO_POSITION) {
                reader.acknowledge(snapshots.releasedInput());
            }
            snapshots.trim();
            if (state.listener() != null && snapshots.newest() != null) {
                SnapshotEnd end = snapshots.newest().end();
                state.listener()
                        .onSnapshot(plan.name(), end.input(), end.content().bytes(), snapshots.savedNanos());
            }
        }
        return work;
    }

    /** Keeps the position of the last input that the restored snapshot contains. */
    @Override
    public boolean consumed(long sequence, long position) {
        if (restored == null || sequence > restored.input()) {
            return false;
        }
        if (sequence == restored.input()) {
            snapshots.metRestored(position);
        }
        return sequence < restored.input();
    }

    @Override
    public void checkAuthor(ProcessedInputs answered, long sequence, Incarnation author) {
        if (restored != null && sequence <= restored.input()) {
            checkRestored(sequence, author);
        }
        answered.check(sequence, author);
        if (answered.isReplaced() && isDropping && restored == null) {
            isDropping = false; // the state began empty: all further inputs are handled
            cycle.endDropping();
        } else if (answered.isReplaced() && isDropping) {
            throw new TopicMismatchException("topic '" + plan.input() + "' was restored or cut off and written further;"
                    + " delete the topic '" + plan.snapshots() + "' to handle all that it holds");
        }
    }

    /** Checks that an input that the state contains was written by the recorded incarnation. */
    private void checkRestored(long sequence, Incarnation author) {
        long known = restored.origin().incarnation();
        boolean isLater = author != null
                && known != 0
                && author.id() != known
                && Incarnation.count(author.id()) >= Incarnation.count(known);
        if (isLater
                || ProcessedInputs.isOther(
                        reader.found().identity(), restored.origin().topic())) {
            throw new TopicMismatchException("a snapshot in topic '" + plan.snapshots() + "' contains the inputs up to "
                    + restored.input() + " of topic '" + plan.input()
                    + "', but that topic is another one, or was cut off:"
                    + " its frame " + sequence
                    + " was written later. Restore the topic, or delete the other topics of the"
                    + " chain as well, those of snapshots included");
        }
    }

    @Override
    public long callsEnded() {
        return cycle.callsEnded();
    }

    @Override
    public boolean isWoken() {
        return cycle.isWoken() && isRestored && !snapshots.isWriting() && !snapshots.isOwning();
    }

    @Override
    public long deadlineNanos() {
        long deadline = cycle.deadlineNanos();
        if (snapshots.isWriting() || !hasChanged()) {
            return deadline;
        }
        long due = snapshots.dueNanos();
        return deadline == Long.MAX_VALUE || due - deadline < 0 ? due : deadline;
    }

    @Override
    public TopicWriter writer() {
        return writer;
    }

    @Override
    public long newestCommitNanos() {
        return cycle.newestCommitNanos();
    }

    @Override
    public boolean hasNoRoom() {
        return cycle.hasNoRoom();
    }

    @Override
    public boolean isDrained() {
        return cycle.isDrained() && isRestored && !snapshots.isWriting() && !hasChanged();
    }

    @Override
    public PartStatus status() {
        return statusOf(cycle.inputStatus(), plan.output())
                .with(snapshots.status(
                        startNanos, !hasChanged(), restored == null ? 0 : restored.input(), restoredNanos));
    }

    @Override
    public boolean tryClose() {
        boolean isClosed = state.isAbandoned() || snapshots.tryClose();
        return cycle.tryClose() && isClosed;
    }

    @Override
    public void close() {
        Failures.inOrder(cycle::close, () -> snapshots.close(state.isAbandoned()));
    }
}
