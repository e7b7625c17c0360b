package dev.baton.engine;

import dev.baton.engine.chain.ChainState;
import dev.baton.engine.chain.Failures;
import dev.baton.engine.cycle.Part;
import dev.baton.engine.cycle.PendingPart;
import dev.baton.engine.cycle.Upstream;
import dev.baton.engine.loop.Connections;
import dev.baton.engine.loop.Loop;
import dev.baton.engine.loop.Task;
import dev.baton.engine.snapshots.StatefulPart;
import dev.baton.engine.writing.PendingOpens;
import dev.baton.run.Environment;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.status.PartStatus;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * The parts of one instance that share a loop; Agrona calls it a {@code CompositeAgent}. They take their turns in chain
 * order, so that one sweep carries a message through all their hops if the transport guarantees
 * {@link dev.baton.spi.Guarantee#IMMEDIATE}. Once the chain has failed, here or on another loop, its parts get no more
 * turns.
 *
 * <p>Its loop counts the turns that it begins and the sweeps that it ends in {@link #step}. If the loop does not respond,
 * another thread can thus find out which part has the turn, and by {@link Part#callsEnded} whether one call has lasted
 * since an earlier check. Confined to its loop, except where a method says otherwise.
 */
final class Section implements Task {
    private static final int SWEEPS_PER_LOOK = 64; // a power of two

    private static final VarHandle STEP;

    static {
        try {
            STEP = MethodHandles.lookup().findVarHandle(Section.class, "step", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /**
     * A call in progress, as observed by another thread.
     *
     * @param step current step of its loop
     * @param calls number of calls of that part that have ended
     * @param part part that has the turn; null between two sweeps
     * @param sinceNanos time at which this call was first observed
     */
    record Turn(long step, long calls, String part, long sinceNanos) {}

    private final Transport transport;
    private final Loop loop;
    private final ChainState state;
    private final List<PendingPart> pending;
    private final int sweepsPerMessage;
    private final Environment environment;
    private long step; // a sweep of n parts takes n + 1 steps, the last of which is its end
    private Turn watched = new Turn(0, 0, null, 0); // guarded by this
    private Part[] parts = {}; // set by the loop in open(), before other threads learn of the section
    private volatile PendingOpens openings; // set by the loop; null before begin()
    private boolean isOpenedAtOnce;
    private boolean hasOpened; // parts that were not created by then never are
    private boolean isStopped;
    private boolean isIdle; // its parts had no work in the last sweep
    private int sweeps; // sweeps with work
    private RuntimeException closeFailure; // failure of parts that are closed
    private boolean isClosed;
    private boolean isInTurn;

    /**
     * Creates a section of parts.
     *
     * @param loop loop to which the section is added
     * @param sweepsPerMessage number of sweeps until a message has passed all parts: 1 if a flushed frame can be polled at
     *     once
     */
    Section(Transport transport, ChainState state, Loop loop, List<? extends PendingPart> parts, int sweepsPerMessage) {
        this.transport = transport;
        this.loop = loop;
        this.state = state;
        this.pending = List.copyOf(parts);
        this.sweepsPerMessage = sweepsPerMessage;
        this.environment = state.environment();
    }

    /** Returns its loop. Any thread. */
    Loop loop() {
        return loop;
    }

    /** Returns the names of its parts, in chain order. Any thread. */
    List<String> partNames() {
        return pending.stream().map(PendingPart::name).toList();
    }

    /** Makes the loop open its parts in one step. Called before {@link #begin}. */
    void openAtOnce() {
        isOpenedAtOnce = true;
    }

    @Override
    public void begin(Connections connections) {
        PendingOpens begun = new PendingOpens(connections.to(transport), isOpenedAtOnce);
        openings = begun;
        for (int i = pending.size() - 1; i >= 0; i--) { // a newer process takes the deciding topic, the last one, first
            pending.get(i).begin(begun);
        }
    }

    /** Does the steps of opening its parts that may block. Called once, by any thread, between {@link #begin} and {@link #open}. */
    CompletableFuture<Void> prepare(Runnable check, boolean isHere) {
        return openings.prepare(check, isHere, environment);
    }

    @Override
    public void open(Connections connections) {
        if (isStopped) {
            throw new IllegalStateException("the connection failed while the chain was opened", state.failure());
        }
        hasOpened = true;
        List<Part> opened = new ArrayList<>();
        TopicWriter feeder = null;
        try {
            for (PendingPart each : pending) {
                Part part = each.open(openings, feeder);
                opened.add(part);
                feeder = part.writer();
            }
        } catch (Throwable failure) {
            opened.forEach(each -> Failures.after(failure, each::close));
            pending.subList(opened.size(), pending.size()).forEach(each -> Failures.after(failure, each::dropped));
            throw failure;
        }
        parts = opened.toArray(new Part[0]);
    }

    @Override
    public int doWork() {
        if (isInTurn) { // a callback turns the loop, to close a chain
            return 0;
        }
        isInTurn = true;
        try {
            return sweep();
        } finally {
            isInTurn = false;
        }
    }

    private int sweep() {
        if (state.failure() != null) {
            stop();
            return 0;
        }
        int work = 0;
        RuntimeException failure = null;
        long begun = step;
        for (Part part : parts) {
            if (isClosed) {
                break;
            }
            try {
                STEP.setOpaque(this, ++begun);
                work += part.turn();
            } catch (RuntimeException thrown) {
                failure = Failures.and(failure, thrown); // later parts still deliver its outputs
            }
        }
        if (isClosed) { // by a callback, of this chain or of another one on this loop; what closed parts throw is no
            // failure
            return work;
        }
        STEP.setOpaque(this, ++begun);
        if (work == 0 ? !isIdle : (++sweeps & SWEEPS_PER_LOOK - 1) == 0) {
            lookAtProgress();
        }
        isIdle = work == 0;
        if (failure != null) {
            throw failure;
        }
        if (state.isClosing()) {
            for (Part part : parts) {
                part.checkDrained();
            }
        }
        return work;
    }

    private void lookAtProgress() {
        long now = environment.nanoTime();
        for (Part part : parts) {
            part.progress(now);
        }
    }

    /** Returns whether all in-flight messages are delivered; true only while the chain is closing. Thread-safe. */
    boolean isDrained() {
        for (Part part : parts) {
            if (part.drainedAt() == Upstream.NOT_YET) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean isInTurn() {
        return isInTurn;
    }

    /** Returns whether one of its callbacks waits for the calling method, so that its turn ends only after that. Any thread. */
    boolean isInCallersTurn() {
        return loop.isInTurn() && isInTurn;
    }

    /** Returns whether the calling thread is in a callback of this loop, so that this section gets no turn until it returns. */
    boolean waitsForCaller() {
        return loop.isInTurn() && (isInTurn || !loop.isManual());
    }

    /** Returns the status of its parts, in chain order. Called on its loop, between two turns. */
    List<PartStatus> status() {
        return Stream.of(parts).flatMap(part -> part.statuses().stream()).toList();
    }

    /** Returns the failures of its writers that newer ones have replaced. Called on its loop, between two turns. */
    List<ReplacedException> replacements() {
        return Stream.of(parts)
                .map(part -> part.writer().failure())
                .filter(ReplacedException.class::isInstance)
                .map(ReplacedException.class::cast)
                .toList();
    }

    /** Returns the call in progress on its loop, with the time at which it was first observed. Any thread. */
    synchronized Turn turnInProgress(long nowNanos) {
        long seen = (long) STEP.getOpaque(this);
        int index = (int) (seen % (parts.length + 1)) - 1;
        long calls = index < 0 ? 0 : parts[index].callsEnded();
        if (seen != watched.step || calls != watched.calls) {
            watched = new Turn(seen, calls, index < 0 ? null : parts[index].name(), nowNanos);
        }
        return watched;
    }

    @Override
    public long deadlineNanos() {
        long earliest = Long.MAX_VALUE;
        if (state.failure() != null) {
            return earliest;
        }
        for (Part part : parts) {
            long deadline = part.deadlineNanos();
            if (deadline != Long.MAX_VALUE && (earliest == Long.MAX_VALUE || deadline - earliest < 0)) {
                earliest = deadline;
            }
        }
        return earliest;
    }

    @Override
    public boolean isWoken() {
        if (state.isClosing()) {
            return false;
        }
        if (state.failure() != null) {
            return true;
        }
        for (Part part : parts) {
            if (!part.isWoken()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int sweepsPerMessage() {
        return sweepsPerMessage;
    }

    @Override
    public void failed(Throwable cause) {
        state.fail(cause);
        stop();
    }

    private void stop() {
        if (!isStopped) {
            isStopped = true;
            for (Part part : parts) {
                part.stopped();
            }
        }
    }

    /** Returns the parts whose services have state. Any thread. */
    Stream<StatefulPart> stateful() {
        return Stream.of(parts).filter(StatefulPart.class::isInstance).map(StatefulPart.class::cast);
    }

    /**
     * Runs a turn of its connection and of each part whose state is not restored yet; returns the work count. Called for a
     * loop that the caller turns, on that thread.
     */
    int restore() {
        int work = openings.connection().doWork();
        for (Part part : parts) {
            if (part instanceof StatefulPart stateful && !stateful.stateReady().isDone()) {
                work += part.turn();
            }
        }
        return work;
    }

    /** Releases openings that are prepared and not completed. Any thread. */
    void withdraw() {
        PendingOpens begun = openings;
        if (begun != null) {
            begun.withdraw();
        }
    }

    @Override
    public boolean tryClose() {
        if (isClosed) {
            return true;
        }
        boolean areClosed = true;
        for (Part part : parts) {
            try {
                areClosed &= part.tryClose();
            } catch (RuntimeException atClose) {
                closeFailure = Failures.and(closeFailure, atClose);
            }
        }
        if (areClosed && closeFailure != null) {
            throw closeFailure;
        }
        return areClosed;
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        List<Runnable> closes = new ArrayList<>();
        closes.add(this::withdraw);
        if (!hasOpened) {
            pending.forEach(each -> closes.add(each::dropped));
        }
        Stream.of(parts).forEach(each -> closes.add(each::close));
        Failures.inOrder(closes.toArray(new Runnable[0]));
    }
}
