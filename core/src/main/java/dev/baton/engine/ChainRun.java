package dev.baton.engine;

import dev.baton.ChainFailedException;
import dev.baton.Deployment;
import dev.baton.Inlet;
import dev.baton.Requests;
import dev.baton.RunningChain;
import dev.baton.Serde;
import dev.baton.engine.chain.ChainState;
import dev.baton.engine.chain.Wait;
import dev.baton.engine.cycle.Part;
import dev.baton.engine.inlet.InletQueue;
import dev.baton.engine.inlet.SharedSource;
import dev.baton.engine.inlet.SourcePart;
import dev.baton.engine.inlet.ThreadInlet;
import dev.baton.engine.loop.Loop;
import dev.baton.engine.loop.LoopPool;
import dev.baton.engine.snapshots.StatefulPart;
import dev.baton.engine.writing.WriterFactory;
import dev.baton.run.Environment;
import dev.baton.run.Limits;
import dev.baton.spi.TopicReader;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.status.ChainStatus;
import dev.baton.status.ChainStatus.ChainId;
import dev.baton.status.ChainStatus.HeldBack;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** One run of a chain or a merge, or of one partition of a chain. Thread-safe, like every {@link RunningChain}. */
public final class ChainRun implements RunningChain, ThreadInlet.Run {
    /** The pause between two checks for restored states, for a loop that the caller turns. */
    private static final long RESTORE_PAUSE_NANOS = 200_000;

    private final String inletTopic;
    private final Transport transport;
    private final LoopPool loops;
    private final Environment environment;
    private final ChainState state;
    private final RunStart start;
    private final RecentStatus<ChainStatus> recentStatus;
    private final WriterFactory writers;
    private final Consumer<Throwable> onFailedStart;
    private final List<Section> sections = new CopyOnWriteArrayList<>(); // read by threads that query the status
    private PendingService first; // null if the first service runs in another process
    private Loop firstLoop;
    private volatile ThreadInlet inlet; // set under the monitor; read by threads that query the status
    private InletQueue sharedInlet;
    private volatile boolean hasRequests; // of its own, not of the chain that restarts it or whose partition it is
    private boolean hasSource;
    private final Object opening = new Object(); // not held by a close, which senders do not wait for
    private volatile boolean isClosed; // set under opening
    private volatile boolean isReleased;
    private boolean wasDrained; // result of the first close; false for an abandoned chain
    private List<SectionRemoval> closing = List.of();

    /**
     * Creates a run that is not started.
     *
     * @param start start whose transport, loops and settings it uses
     * @param inletTopic topic of the inlet; null for a chain without an inlet, which another chain feeds
     * @param onFailedStart called with the failure after everything is closed, if a state cannot be restored
     */
    ChainRun(
            String inletTopic,
            RunStart start,
            ChainState state,
            WriterFactory writers,
            Consumer<Throwable> onFailedStart) {
        this.inletTopic = inletTopic;
        this.start = start;
        this.transport = start.transport();
        this.loops = start.loops();
        this.environment = state.environment();
        this.state = state;
        this.writers = writers;
        this.onFailedStart = onFailedStart;
        this.recentStatus = new RecentStatus<>(this::status, environment);
    }

    /**
     * Opens every section on its loop, from the end of the chain to its beginning; the calling thread does the steps that
     * may block. On failure closes the open sections, and sections that are still being opened as soon as their opening
     * ends.
     */
    void start(SourcePart.Pending source, List<PendingService> services) {
        linkUpstreams(services);
        if (source != null) {
            hasSource = true;
            if (first != null) {
                first.follow(source.drain());
            }
        }
        start(
                () -> Sections.of(transport, state, source, source == null ? null : placed(source), services),
                services.stream().map(each -> each.plan().loop()).toList());
    }

    /** Opens sections whose loops are already assigned. */
    void start(Supplier<List<Section>> made, List<Loop> taken) {
        List<Section> all = new ArrayList<>();
        try {
            all.addAll(made.get());
            for (int i = all.size() - 1; i >= 0; i--) {
                open(all.get(i));
            }
        } catch (Throwable failure) {
            state.refuse(failure);
            release();
            long deadline = failedStartDeadline();
            loops.retire(taken, deadline);
            retire(all, deadline);
            throw failure;
        }
    }

    /**
     * Waits until the state of every service is restored, for up to {@link Deployment#openWithin}. If a state cannot be
     * restored, closes everything and throws the reason. Called once, by the thread that has started the chain. In a turn
     * of a loop it does not wait for the services of that loop, because the loop has no other turn until this returns.
     */
    void awaitRestored() {
        try {
            long end = environment.nanoTime() + openNanos();
            sections.stream()
                    .filter(each -> each.loop().isManual() && !each.loop().isInTurn())
                    .forEach(each -> restore(each, end));
            awaitRestored(
                    sections.stream()
                            .filter(each ->
                                    !each.loop().isManual() && !each.loop().isInTurn())
                            .flatMap(Section::stateful)
                            .toList(),
                    end);
        } catch (Throwable failure) {
            state.fail(failure);
            close(Duration.ZERO);
            onFailedStart.accept(failure);
            throw failure;
        }
    }

    /** Restores the states of a section on a loop that the calling thread turns, by running turns of the section. */
    private void restore(Section section, long endNanos) {
        List<StatefulPart> stateful = section.stateful().toList();
        try (Wait wait = new Wait(environment)) {
            while (stateful.stream().anyMatch(each -> !each.stateReady().isDone())) {
                if (environment.nanoTime() - endNanos >= 0) {
                    throw lateState(stateful);
                }
                if (section.restore() == 0) {
                    wait.park(RESTORE_PAUSE_NANOS);
                }
            }
        }
    }

    private void awaitRestored(List<StatefulPart> stateful, long endNanos) {
        if (stateful.isEmpty()) {
            return;
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(
                stateful.stream().map(StatefulPart::stateReady).toArray(CompletableFuture<?>[]::new));
        CompletableFuture<Void> ended = new CompletableFuture<>();
        all.whenComplete((restored, failure) -> ended.complete(null));
        state.whenFailed(() -> ended.complete(null));
        if (state.failure() == null) {
            try {
                environment.await(ended, endNanos - environment.nanoTime());
            } catch (TimeoutException late) {
                throw lateState(stateful);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", interrupted);
            } catch (ExecutionException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
        Throwable failure = state.failure();
        if (failure != null && !all.isDone()) {
            throw failure instanceof RuntimeException thrown
                    ? thrown
                    : new ChainFailedException(state.chain(), failure);
        }
    }

    private IllegalStateException lateState(List<StatefulPart> stateful) {
        String late = stateful.stream()
                .filter(each -> !each.stateReady().isDone())
                .map(Part::name)
                .collect(Collectors.joining(", "));
        return new IllegalStateException(
                "chain " + state.chain() + ": the state of " + late + " was not restored within "
                        + openNanos() / 1_000_000 + " ms; allow more time with Deployment.openWithin");
    }

    /** Adds a section to its loop. On failure the section is removed from the loop. */
    private void open(Section section) {
        new SectionOpening(section, environment, openNanos()).tryOpen(true);
        keep(section);
    }

    private void keep(Section opened) {
        state.whenFailed(opened.loop()::wake);
        sections.add(0, opened);
    }

    private void linkUpstreams(List<PendingService> services) {
        for (int i = 1; i < services.size(); i++) {
            if (services.get(i - 1).plan().place().hop()
                    == services.get(i).plan().place().hop() - 1) {
                services.get(i).follow(services.get(i - 1).drain());
            }
        }
        if (!services.isEmpty() && services.get(0).plan().place().hop() == 0) {
            first = services.get(0);
            firstLoop = first.plan().loop();
        }
    }

    /** Places a source on the loop of the first service, or on one of its own if each service has one. */
    private Loop placed(SourcePart.Pending source) {
        Loop loop = firstLoop == null || loops.splitsChains() ? loops.nextLoop() : firstLoop;
        source.runsOn(loop, loop == firstLoop ? null : firstLoop);
        return loop;
    }

    @Override
    public synchronized Inlet inlet() {
        checkEntrance(inlet == null && (hasSource || sharedInlet != null));
        if (inlet == null) {
            inlet = new ThreadInlet(
                    inletTopic,
                    transport,
                    state,
                    firstLoop,
                    start.settings().sendLimit.toNanos(),
                    writers,
                    this);
            if (first != null && ThreadInlet.isDirect(transport)) {
                first.follow(inlet);
            }
        }
        return inlet;
    }

    @Override
    public InletQueue sharedInlet(int capacity) {
        InletQueue opened = new InletQueue(capacity, writers.maxPayload(), state);
        if (state.failure() == null) {
            sendFor(opened);
        } else if (isClosed) {
            throw closed();
        } // otherwise the inlet refuses every message
        return opened;
    }

    @Override
    public <Q, R> Requests<Q, R> requests(Serde<Q> requestCodec, Serde<R> replyCodec, int mostOpen) {
        hasRequests = true; // before they are open, so that a close meanwhile ends them
        return start.requests(this, requestCodec, replyCodec, mostOpen);
    }

    /** Starts to send the messages of a shared inlet. May block for up to {@link Deployment#openWithin}. */
    void sendFor(InletQueue shared) {
        SharedSource sending = new SharedSource(shared, state, inletTopic);
        synchronized (this) {
            checkEntrance(hasSource || inlet != null || sharedInlet != null);
            sharedInlet = shared; // excludes other openings; a close does not wait for this one
        }
        try {
            SourceOpening begun = begin(new SourcePart.Pending(inletTopic, sending, 0, 0, state, writers));
            begun.tryOpen(true);
            shared.wakeWith(begun.loop::wake);
        } catch (Throwable failure) {
            synchronized (this) {
                sharedInlet = null;
            }
            throw failure;
        }
    }

    @Override
    public boolean mayWait() {
        return !loops.isInTurn() && !environment.isWorker();
    }

    @Override
    public SourceOpening begin(SourcePart.Pending source) {
        if (isClosed) {
            throw closed();
        }
        return new SourceOpening(source);
    }

    /**
     * The opening of a source while the run may be closed concurrently. Confined to the thread that opens, and then to the one
     * that closes.
     */
    private final class SourceOpening implements ThreadInlet.Opening {
        private final SourcePart.Pending source;
        private final Loop loop;
        private final Section section;
        private final SectionOpening steps;
        private boolean isOver; // it is open or has failed

        SourceOpening(SourcePart.Pending source) {
            this.source = source;
            loop = placed(source);
            section = new Section(transport, state, loop, List.of(source), 1);
            steps = new SectionOpening(section, environment, openNanos());
        }

        @Override
        public Loop loop() {
            return loop;
        }

        @Override
        public boolean tryOpen() {
            return tryOpen(mayWait());
        }

        private boolean tryOpen(boolean isAwaited) {
            try {
                if (!steps.tryOpen(isAwaited)) {
                    return false;
                }
                complete(isAwaited);
                isOver = true;
                return true;
            } catch (Throwable failure) {
                end(isAwaited);
                throw failure;
            }
        }

        private void complete(boolean isAwaited) {
            synchronized (opening) {
                if (!isClosed) {
                    keep(section);
                    if (first != null) {
                        first.follow(source.drain());
                    }
                    return;
                }
            }
            throw steps.undo(closed(), isAwaited);
        }

        @Override
        public void close() {
            if (!isOver) {
                boolean isAwaited = mayWait();
                steps.undo(closed(), isAwaited);
                end(isAwaited);
            }
        }

        private void end(boolean isAwaited) {
            isOver = true;
            if (loop != firstLoop) {
                loops.retire(List.of(loop), isAwaited ? failedStartDeadline() : environment.nanoTime());
            }
        }
    }

    private void checkEntrance(boolean isTaken) {
        if (isClosed) {
            throw closed();
        }
        if (inletTopic == null) {
            throw new IllegalStateException(
                    "chain " + state.chain() + " has no inlet: it reads what other chains write");
        }
        if (isTaken) {
            throw new IllegalStateException("topic " + inletTopic + " has one writer already: "
                    + (hasSource
                            ? "a source"
                            : inlet != null
                                    ? "inlet()"
                                    : start.settings().replies.entrance()));
        }
    }

    private IllegalStateException closed() {
        return new IllegalStateException(
                "the chain of topic " + (inletTopic == null ? state.chain() : inletTopic) + " is closed");
    }

    private long openNanos() {
        return start.settings().openLimit.toNanos();
    }

    @Override
    public ChainStatus status() {
        return StatusQuery.of(asked(), environment);
    }

    @Override
    public Loop[] loops() {
        return sections.stream().map(Section::loop).distinct().toArray(Loop[]::new);
    }

    @Override
    public HeldBack holdingBack() {
        return status().holdingBack().orElse(null);
    }

    /** Returns the source of its status. */
    StatusQuery asked() {
        ThreadInlet sender = inlet;
        HeldBack held = sender == null ? null : sender.heldBack();
        return new StatusQuery(
                new ChainId(state.chain(), state.instance(), state.partition()),
                state.phase(),
                state.failure(),
                0,
                held,
                sections);
    }

    @Override
    public ChainStatus status(Duration maxAge) {
        return recentStatus.get(maxAge);
    }

    @Override
    public Inlet inlet(int partition) {
        throw new IllegalStateException(
                "chain " + state.chain() + " has no partitions; send through inlet() or sharedInlet(...)");
    }

    @Override
    public OptionalLong firstSequence() {
        long begunAt = first == null ? TopicReader.UNKNOWN : first.begunAt();
        return begunAt < 0 ? OptionalLong.empty() : OptionalLong.of(begunAt + 1);
    }

    @Override
    public Optional<Throwable> failure() {
        return Optional.ofNullable(state.failure());
    }

    @Override
    public Optional<Throwable> lastFailure() {
        return failure();
    }

    @Override
    public int restarts() {
        return 0;
    }

    @Override
    public boolean close(Duration limit) {
        Closing.together(List.of(this), Limits.nanos("limit", limit), environment);
        return wasDrained();
    }

    Environment environment() {
        return environment;
    }

    /** Stops the input, as the first step of closing. Returns false if the chain is already closed. */
    synchronized boolean beginClose() {
        if (isClosed) {
            return false;
        }
        endOpenings();
        if (inlet != null) {
            inlet.stop();
        }
        state.beginClosing();
        watchCalls();
        return true;
    }

    private void endOpenings() {
        synchronized (opening) {
            isClosed = true;
        }
    }

    /** Records the calls in progress, for {@link Closing#heldUpBy}. */
    void watchCalls() {
        Closing.watch(sections, environment.nanoTime());
    }

    /**
     * Returns whether all messages are delivered and stored, or the chain has failed, or it cannot continue before the caller
     * returns.
     */
    synchronized boolean hasSettled() {
        boolean isStored = inlet == null || inlet.isStored();
        wasDrained = state.failure() == null && isStored && sections.stream().allMatch(Section::isDrained);
        return wasDrained || state.failure() != null || waitsForCaller();
    }

    private boolean waitsForCaller() {
        return sections.stream().anyMatch(Section::waitsForCaller)
                && sections.stream().allMatch(each -> each.isDrained() || each.waitsForCaller());
    }

    /** Makes its loops begin the next sweep at once. Returns whether the calling thread has turned them. */
    boolean sweepSoon() {
        if (!sections.isEmpty() && sections.get(0).loop().isManual()) {
            loops.turn();
            return true;
        }
        sections.forEach(each -> each.loop().sweepSoon());
        return false;
    }

    /** Begins to release all sections. */
    synchronized void beginRelease(long waitedNanos) {
        if (!wasDrained && state.failure() == null) {
            state.warn("closed after " + waitedNanos / 1_000_000 + " ms with messages in flight"
                    + Closing.heldUpBy(sections, environment.nanoTime()));
        }
        closeInlet();
        removeSections();
    }

    /** Completes the release, as the last step of closing. */
    synchronized void endRelease(long deadlineNanos) {
        endRemovals(deadlineNanos);
        if (hasRequests) {
            quietly(start.settings().replies::close);
        }
        state.endClosing();
        isReleased = true;
    }

    /** Returns whether the calling thread is in a turn of one of its loops. */
    boolean isInTurn() {
        return loops.isInTurn();
    }

    /** Returns whether a close or an abandonment has ended. Any thread. */
    boolean isReleased() {
        return isReleased;
    }

    /** Returns the result of the close. */
    synchronized boolean wasDrained() {
        return wasDrained;
    }

    /**
     * Stops at once and stores no positions, because another process may already use these topics. Waits for a close in progress.
     * Idempotent.
     */
    public void abandon() {
        if (!isAbandonedByThis()) {
            Closing.awaitReleased(this, ChainState.releaseDeadline(environment), environment);
        }
    }

    private synchronized boolean isAbandonedByThis() {
        if (isClosed) {
            return false;
        }
        endOpenings();
        if (inlet != null) {
            inlet.stop();
        }
        state.abandon();
        release();
        state.endClosing();
        isReleased = true;
        return true;
    }

    public List<Section> sections() {
        return sections;
    }

    /** Asks each loop for the failures of writers that newer ones have replaced. Never blocks; any thread. */
    List<CompletableFuture<List<ReplacedException>>> askReplacements() {
        return sections.stream()
                .map(each -> each.loop().ask(each::replacements))
                .toList();
    }

    private void release() {
        closeInlet();
        removeSections();
        long deadline = ChainState.releaseDeadline(environment);
        SectionRemoval.await(closing, deadline, environment);
        endRemovals(deadline);
    }

    /**
     * Returns the release deadline after a failed start. Sections that are still opening end by themselves, and the caller
     * does not wait longer for them.
     */
    private long failedStartDeadline() {
        return environment.nanoTime() + Math.min(ChainState.RELEASE_NANOS, openNanos());
    }

    private void closeInlet() {
        if (inlet != null) {
            quietly(inlet::close);
        }
    }

    private void removeSections() {
        closing = sections.stream()
                .map(each -> SectionRemoval.begin(each, environment))
                .toList();
    }

    /** Returns the sections that the loops are to release. */
    synchronized List<SectionRemoval> removals() {
        return closing;
    }

    private void endRemovals(long deadlineNanos) {
        List<Section> released = new ArrayList<>();
        List<Section> left = new ArrayList<>();
        for (SectionRemoval each : closing) {
            if (each.section().isInCallersTurn()) {
                retire(List.of(each.section()), environment.nanoTime()); // released when the callback has returned
            } else if (each.isLeft()) {
                left.add(each.section());
            } else {
                released.add(each.section());
                quietly(each::check);
            }
        }
        closing = List.of();
        retire(released, deadlineNanos);
        if (!left.isEmpty()) {
            long now = environment.nanoTime();
            state.warn("closed while a callback is in progress" + Closing.heldUpBy(left, now)
                    + "; when it returns, its loop releases "
                    + String.join(
                            ", ",
                            left.stream()
                                    .flatMap(each -> each.partNames().stream())
                                    .toList()));
            retire(left, now);
            if (sharedInlet != null) {
                sharedInlet.end(); // these sections may never complete its futures
            }
        }
        sections.clear();
    }

    private void retire(List<Section> ended, long deadlineNanos) {
        loops.retire(ended.stream().map(Section::loop).toList(), deadlineNanos);
    }

    private void quietly(Runnable closing) {
        try {
            closing.run();
        } catch (Throwable atClose) { // what follows has to be released as well
            state.warn("while closing: "
                    + (atClose instanceof TransportException ? atClose.getMessage() : atClose.toString()));
        }
    }
}
