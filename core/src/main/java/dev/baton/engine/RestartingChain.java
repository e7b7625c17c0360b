package dev.baton.engine;

import dev.baton.RestartPolicy;
import dev.baton.RestartPolicy.Attempts;
import dev.baton.engine.chain.ChainState;
import dev.baton.engine.inlet.InletQueue;
import dev.baton.engine.loop.Loop;
import dev.baton.run.Environment;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.support.Causes;
import dev.baton.status.ChainStatus;
import dev.baton.status.ChainStatus.ChainId;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A chain, or one partition of it, that is closed and opened again when it fails, according to its {@link RestartPolicy}.
 *
 * <p>Each run is a new {@link ChainRun}, so that a restart of the chain equals a restart of the process. Its owner opens
 * the first run, the {@link Restarter} the following ones. The shared inlet is one queue, whose messages each run sends in turn.
 * Any thread may query it.
 */
final class RestartingChain {
    /** The time within which a transport reports that several writers of a process were replaced: twice Kafka's rival-interval. */
    private static final long LOOK_NANOS = 2_000_000_000;

    private static final long LOOK_PAUSE_NANOS = 20_000_000;

    /** Starts a run, given the callback for its failure. */
    interface Opening extends Function<Consumer<Throwable>, ChainRun> {}

    private final ChainState state; // of all runs together: it fails with the failure after which no run follows
    private final boolean standsBy; // instead of failing when a newer process has taken over
    private final Opening opening;
    private final Consumer<ChainRun> onRun;
    private final Restarter restarter;
    private final Environment environment;
    private final Attempts attempts;
    private final String writtenTopic; // the deciding one, if this process writes it; otherwise null
    private volatile ChainRun running; // null between runs
    private volatile Loop[] loops = {}; // of the current or the previous run; empty before the first one
    private volatile Throwable lastFailure;
    private volatile boolean isStarting; // the first run is starting: its failure is thrown to the caller
    private boolean isLeft; // ended while a run was being opened; guarded by this
    private volatile boolean isStandingBy; // another process runs the chain
    private volatile int restarts;
    private volatile long dueNanos; // time of the next step
    private volatile long startedNanos; // start time of the newest run
    private volatile long failedNanos; // time of its failure; valid once it has failed
    private long lookedSinceNanos; // valid while looking is not empty; like looking, the restarter's
    private List<CompletableFuture<List<ReplacedException>>> looking = List.of(); // answers of the failed run's loops
    private final Object entrance = new Object(); // held while a run opens the shared inlet, so not by a close
    private ChainRun newest; // sends the messages of the shared inlet; null before the first run; guarded by entrance
    private volatile InletQueue sharedInlet; // null until it is opened
    private boolean isReplaced; // and stands by for ever; guarded by the entrance

    /**
     * Creates a chain without a run.
     *
     * @param state state of all runs, whose listener is notified of restarts
     * @param writtenTopic deciding topic, if a service of this process writes it; otherwise null
     * @param onRun called with each run when it is open, and with null when the run is closed after a failure
     */
    RestartingChain(
            ChainState state,
            boolean standsBy,
            Opening opening,
            Attempts attempts,
            String writtenTopic,
            Consumer<ChainRun> onRun,
            Restarter restarter) {
        this.state = state;
        this.standsBy = standsBy;
        this.opening = opening;
        this.attempts = attempts;
        this.writtenTopic = writtenTopic;
        this.onRun = onRun;
        this.restarter = restarter;
        this.environment = restarter.environment();
        this.dueNanos = environment.nanoTime();
    }

    /** Opens the first run, or throws. {@link #awaitRestored} must be called next. */
    void start() {
        isStarting = true;
        open();
    }

    /** Waits until the states of the first run's services are restored, or throws. Later failures restart the chain. */
    void awaitRestored() {
        ChainRun first = running;
        first.awaitRestored();
        isStarting = false;
        if (first.failure().isPresent()) {
            runFailed(first.failure().get());
        }
    }

    /** Stands by after the first run could not be opened, because another process occupies its topics. */
    void standBy(OccupiedException occupied) {
        isStarting = false;
        next(occupied, environment.nanoTime());
    }

    /** Begins with the first run on the restarter's thread. If the run cannot be opened, it is retried like a later one. */
    void begin() {
        restarter.add(this);
    }

    /** Returns the current run, which may have failed; null between runs, and after the last one. */
    ChainRun running() {
        return running;
    }

    /** Returns the loops of the current run, or of the previous one, whose successor usually needs them; empty before the first run. */
    Loop[] loops() {
        return loops;
    }

    /** Returns the failure after which it is not restarted; null if there is none. */
    Throwable failure() {
        return state.failure();
    }

    /** Returns the failure of the previous run, or of an attempt to open one; null if there is none. */
    Throwable lastFailure() {
        return lastFailure;
    }

    /** Returns the time of that failure. */
    long failedNanos() {
        return failedNanos;
    }

    /** Returns the source of its status: its run, or none between runs. */
    StatusQuery asked() {
        ChainRun now = running;
        if (now != null && !isRestarting()) {
            return now.asked().with(restarts);
        }
        Throwable failure = state.failure();
        ChainStatus.Phase phase;
        if (isEnded()) {
            phase = ChainStatus.Phase.CLOSED;
        } else if (failure != null) {
            phase = ChainStatus.Phase.FAILED;
        } else {
            phase = isStandingBy ? ChainStatus.Phase.STANDING_BY : ChainStatus.Phase.RESTARTING;
        }
        return new StatusQuery(
                new ChainId(state.chain(), state.instance(), state.partition()),
                phase,
                failure == null ? lastFailure : failure,
                restarts,
                null,
                List.of());
    }

    int restarts() {
        return restarts;
    }

    String chain() {
        return state.chain();
    }

    boolean isEnded() {
        return state.isClosing();
    }

    /** Returns whether a run has failed and another one is to follow. */
    boolean isRestarting() {
        ChainRun now = running;
        return !isEnded()
                && state.failure() == null
                && (now == null || now.failure().isPresent());
    }

    /** Returns whether another process runs the chain. */
    boolean isStandingBy() {
        return isStandingBy;
    }

    long dueNanos() {
        return dueNanos;
    }

    /** Opens the shared inlet, whose messages the newest run sends, or the next one if that has failed or none is open. */
    InletQueue sharedInlet(int capacity, int maxPayload) {
        InletQueue opened = new InletQueue(capacity, maxPayload, state);
        synchronized (entrance) {
            if (newest != null && newest.failure().isEmpty()) {
                newest.sendFor(opened);
            }
            if (isReplaced) {
                opened.hasNoNextRun();
            }
            sharedInlet = opened;
        }
        return opened;
    }

    /** Makes a run send the messages that wait in the shared inlet, and later ones. If it cannot, it is closed. */
    private ChainRun sending(ChainRun run) {
        try {
            synchronized (entrance) {
                newest = run;
                if (sharedInlet != null) {
                    run.sendFor(sharedInlet);
                }
            }
            return run;
        } catch (Throwable failure) {
            run.close(Duration.ZERO);
            throw failure;
        }
    }

    /** Ends the restarts, and refuses further messages of the shared inlet; the current run sends those that wait. */
    void beginClosing() {
        state.beginClosing();
    }

    /** Completes the futures of the messages in the shared inlet, if no run follows. Called when the last run is closed. */
    void endInlet() {
        InletQueue ending = sharedInlet; // not in turn with an opening, which may wait for a loop
        if (ending != null) {
            ChainRun last = running;
            if (last != null && last.isInTurn()) {
                ending.endIfOver(); // its run ends the others with its turn
            } else {
                ending.end(); // also those of an earlier run, which a callback may still hold up
            }
        }
    }

    /**
     * Ends the restarts; waits for an opening in progress until the deadline. A run that is opened after the deadline is
     * closed at once. Returns the current run, which the caller has to close; null if there is none. Idempotent.
     */
    ChainRun end(long deadlineNanos) {
        beginClosing();
        if (restarter.remove(this, deadlineNanos)) {
            return running;
        }
        System.getLogger("dev.baton")
                .log(
                        Level.WARNING,
                        "chain " + state.chain() + ": closed while a run is being opened or closed, which a callback"
                                + " holds up; that run is closed when its opening has ended");
        synchronized (this) {
            isLeft = true;
            return running;
        }
    }

    private void open() {
        startedNanos = environment.nanoTime();
        ChainRun opened = sending(opening.apply(this::runFailed));
        boolean isUnwanted;
        synchronized (this) {
            isUnwanted = isLeft;
            running = isUnwanted ? null : opened; // an earlier failure is checked below, a later one is reported
            loops = opened.loops();
            if (!isUnwanted) {
                isStandingBy = false;
                onRun.accept(opened); // here, so that who ends the restarts finds this run
            }
        }
        if (isUnwanted) {
            opened.close(Duration.ZERO);
            return;
        }
        if (opened.failure().isPresent()) {
            runFailed(opened.failure().get());
        }
    }

    /** Handles the failure of a run, which is permanent while the chain is closed. Called by any thread, such as that of a loop. */
    private void runFailed(Throwable cause) {
        if (running == null || isStarting) {
            return;
        }
        if (isEnded()) {
            state.fail(cause);
        } else {
            lastFailure = cause;
            failedNanos = environment.nanoTime();
            dueNanos = failedNanos;
            restarter.add(this);
        }
    }

    /** Closes the failed run, or opens the next one. On the restarter's thread. */
    void step() {
        ChainRun failed = running;
        if (isEnded() || failed != null && failed.failure().isEmpty()) {
            return;
        }
        if (failed != null) {
            Throwable cause = causeOf(failed);
            if (cause == null) {
                dueNanos = environment.nanoTime() + LOOK_PAUSE_NANOS;
                restarter.add(this);
                return;
            }
            try {
                failed.close(Duration.ZERO);
            } finally {
                onRun.accept(null);
                running = null;
                next(cause, failedNanos);
            }
            return;
        }
        try {
            open();
        } catch (Throwable refused) {
            next(refused, environment.nanoTime());
        }
    }

    /**
     * Returns the failure that decides what follows; null while that is open. A run that was replaced at one topic may have
     * been replaced at the deciding one as well, which its writer there finds out a little later. To open again before
     * would replace the newer process.
     */
    private Throwable causeOf(ChainRun failed) {
        Throwable cause = failed.failure().orElseThrow();
        ReplacedException replaced = Causes.first(cause, ReplacedException.class);
        boolean isOpen = writtenTopic != null
                && replaced != null
                && (replaced.consumer() != null || !replaced.topic().equals(writtenTopic));
        if (!isOpen) {
            return cause;
        }
        for (CompletableFuture<List<ReplacedException>> answer : looking) {
            if (answer.isDone() && !answer.isCompletedExceptionally()) {
                for (ReplacedException each : answer.join()) {
                    if (each.topic().equals(writtenTopic)) {
                        looking = List.of();
                        return each;
                    }
                }
            }
        }
        long now = environment.nanoTime();
        if (looking.isEmpty()) {
            lookedSinceNanos = now;
        } else if (now - lookedSinceNanos >= LOOK_NANOS) {
            looking = List.of();
            return cause;
        }
        if (looking.stream().allMatch(CompletableFuture::isDone)) {
            looking = failed.askReplacements();
        }
        return looking.isEmpty() ? cause : null;
    }

    private void next(Throwable cause, long failedAt) {
        long now = environment.nanoTime(); // a close may have taken long since the failure
        Attempts.Step step = attempts.after(cause, failedAt - startedNanos, now);
        lastFailure = step.cause();
        failedNanos = failedAt;
        restarts = attempts.restarts();
        isStandingBy =
                step.kind() == Attempts.Step.Kind.STAND_BY || standsBy && step.kind() == Attempts.Step.Kind.REPLACED;
        if (isStandingBy && step.kind() == Attempts.Step.Kind.REPLACED) {
            System.getLogger("dev.baton")
                    .log(
                            Level.ERROR,
                            "chain " + state.chain()
                                    + ": a newer process has taken over. This one stands by and opens nothing"
                                    + " again, even if the newer one has failed to start; then start one that works: "
                                    + step.cause());
            synchronized (entrance) {
                isReplaced = true;
                if (sharedInlet != null) {
                    sharedInlet.hasNoNextRun();
                }
            }
            return; // to open again would replace the newer process
        }
        if (step.kind() == Attempts.Step.Kind.GIVE_UP || step.kind() == Attempts.Step.Kind.REPLACED) {
            state.fail(cause);
            endInlet();
            return;
        }
        if (step.kind() == Attempts.Step.Kind.RESTART) {
            report(step);
        }
        dueNanos = now + step.pause().toNanos();
        restarter.add(this);
    }

    private void report(Attempts.Step step) {
        String which = state.partition() == PartitionTopic.NONE ? "" : ", partition " + state.partition();
        System.getLogger("dev.baton")
                .log(
                        Level.WARNING,
                        "chain " + state.chain() + which + " is opened again in "
                                + step.pause().toMillis() + " ms, restart " + restarts + ": " + step.cause());
        if (state.listener() != null) {
            state.listener().onRestart(state.chain(), state.partition(), restarts, step.pause(), step.cause());
        }
    }
}
