package dev.baton.engine;

import dev.baton.ChainListener;
import dev.baton.RestartPolicy;
import dev.baton.RestartPolicy.Attempts;
import dev.baton.run.Environment;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.status.ChainStatus;
import dev.baton.status.ChainStatus.ChainId;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A chain, or one partition of it, that is closed and opened again when it fails, according to its {@link RestartPolicy}.
 *
 * <p>Each run is a new {@link ChainRun}, so that a restart of the chain equals a restart of the process. Its owner opens
 * the first run, the {@link Restarter} the following ones. Any thread may query it.
 */
public final class RestartingChain {
    /** Starts a run, given the callback for its failure. */
    interface Opening extends Function<Consumer<Throwable>, ChainRun> {}

    /**
     * The identity of the chain and the callbacks for its events.
     *
     * @param partition partition; {@link PartitionTopic#NONE} for a chain without partitions
     * @param listener listener; null for none
     * @param onStopped called with the failure after which it is not restarted
     * @param onRun called with each run when it is open, and with null when the run is closed after a failure
     */
    record Owner(
            String chain,
            int partition,
            ChainListener listener,
            Consumer<? super Throwable> onStopped,
            Consumer<ChainRun> onRun) {}

    private final Owner owner;
    private final boolean standsBy; // instead of failing when a newer process has taken over
    private final Opening opening;
    private final Restarter restarter;
    private final Environment environment;
    private final Attempts attempts;
    private volatile ChainRun running; // null between runs
    private volatile Throwable lastFailure;
    private volatile Throwable failure; // failure after which it is not restarted
    private volatile boolean isStarting; // the first run is starting: its failure is thrown to the caller
    private volatile boolean isEnded;
    private boolean isLeft; // ended while a run was being opened; guarded by this
    private volatile boolean isStandingBy; // another process runs the chain
    private volatile int restarts;
    private volatile long dueNanos; // time of the next step
    private volatile long startedNanos; // start time of the newest run

    RestartingChain(Owner owner, boolean standsBy, Opening opening, Attempts attempts, Restarter restarter) {
        this.owner = owner;
        this.standsBy = standsBy;
        this.opening = opening;
        this.attempts = attempts;
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
        next(occupied);
    }

    /** Begins with the first run on the restarter's thread. If the run cannot be opened, it is retried like a later one. */
    void begin() {
        restarter.add(this);
    }

    /** Returns the current run, which may have failed; null between runs, and after the last one. */
    ChainRun running() {
        return running;
    }

    /** Returns the failure after which it is not restarted; null if there is none. */
    Throwable failure() {
        return failure;
    }

    /** Returns the failure of the previous run, or of an attempt to open one; null if there is none. */
    Throwable lastFailure() {
        return lastFailure;
    }

    /** Returns the source of its status: its run, or none between runs. */
    StatusQuery asked(int instance) {
        ChainRun now = running;
        if (now != null && !isRestarting()) {
            return now.asked().with(restarts);
        }
        ChainStatus.Phase phase;
        if (isEnded) {
            phase = ChainStatus.Phase.CLOSED;
        } else if (failure != null) {
            phase = ChainStatus.Phase.FAILED;
        } else {
            phase = isStandingBy ? ChainStatus.Phase.STANDING_BY : ChainStatus.Phase.RESTARTING;
        }
        Throwable cause = failure == null ? lastFailure : failure;
        return new StatusQuery(
                new ChainId(owner.chain(), instance, owner.partition()), phase, cause, restarts, null, List.of());
    }

    int restarts() {
        return restarts;
    }

    String chain() {
        return owner.chain();
    }

    boolean isEnded() {
        return isEnded;
    }

    /** Returns whether a run has failed and another one is to follow. */
    boolean isRestarting() {
        ChainRun now = running;
        return !isEnded && failure == null && (now == null || now.failure().isPresent());
    }

    /** Returns whether another process runs the chain. */
    boolean isStandingBy() {
        return isStandingBy;
    }

    long dueNanos() {
        return dueNanos;
    }

    /**
     * Ends the restarts; waits for an opening in progress until the deadline. A run that is opened after the deadline is
     * closed at once. Returns the current run, which the caller has to close; null if there is none. Idempotent.
     */
    ChainRun end(long deadlineNanos) {
        isEnded = true;
        if (restarter.remove(this, deadlineNanos)) {
            return running;
        }
        System.getLogger("dev.baton")
                .log(
                        Level.WARNING,
                        "chain " + owner.chain() + ": closed while a run is being opened or closed, which a callback"
                                + " holds up; that run is closed when its opening has ended");
        synchronized (this) {
            isLeft = true;
            return running;
        }
    }

    private void open() {
        startedNanos = environment.nanoTime();
        ChainRun opened = opening.apply(this::runFailed);
        boolean isUnwanted;
        synchronized (this) {
            isUnwanted = isLeft;
            running = isUnwanted ? null : opened; // an earlier failure is checked below, a later one is reported
        }
        if (isUnwanted) {
            opened.close(Duration.ZERO);
            return;
        }
        isStandingBy = false;
        owner.onRun().accept(opened);
        if (opened.failure().isPresent()) {
            runFailed(opened.failure().get());
        }
    }

    /** Handles the failure of a run. Called by any thread, such as that of a loop. */
    private void runFailed(Throwable cause) {
        if (running != null && !isEnded && !isStarting) {
            lastFailure = cause;
            dueNanos = environment.nanoTime();
            restarter.add(this);
        }
    }

    /** Closes the failed run, or opens the next one. On the restarter's thread. */
    void step() {
        ChainRun failed = running;
        if (isEnded || failed != null && failed.failure().isEmpty()) {
            return;
        }
        if (failed != null) {
            try {
                failed.close(Duration.ZERO);
            } finally {
                owner.onRun().accept(null);
                running = null;
                next(failed.failure().orElseThrow());
            }
            return;
        }
        try {
            open();
        } catch (RuntimeException | Error refused) {
            next(refused);
        }
    }

    private void next(Throwable cause) {
        long now = environment.nanoTime();
        Attempts.Step step = attempts.after(cause, now - startedNanos, now);
        lastFailure = step.cause();
        restarts = attempts.restarts();
        isStandingBy =
                step.kind() == Attempts.Step.Kind.STAND_BY || standsBy && step.kind() == Attempts.Step.Kind.REPLACED;
        if (isStandingBy && step.kind() == Attempts.Step.Kind.REPLACED) {
            return; // to open again would replace the newer process
        }
        if (step.kind() == Attempts.Step.Kind.GIVE_UP || step.kind() == Attempts.Step.Kind.REPLACED) {
            failure = cause;
            owner.onStopped().accept(cause);
            return;
        }
        if (step.kind() == Attempts.Step.Kind.RESTART) {
            report(step);
        }
        dueNanos = now + step.pause().toNanos();
        restarter.add(this);
    }

    private void report(Attempts.Step step) {
        String which = owner.partition() == PartitionTopic.NONE ? "" : ", partition " + owner.partition();
        System.getLogger("dev.baton")
                .log(
                        Level.WARNING,
                        "chain " + owner.chain() + which + " is opened again in "
                                + step.pause().toMillis() + " ms, restart " + restarts + ": " + step.cause());
        if (owner.listener() != null) {
            owner.listener().onRestart(owner.chain(), owner.partition(), restarts, step.pause(), step.cause());
        }
    }
}
