package dev.baton.engine;

import dev.baton.ChainListener;
import dev.baton.RestartAttempts;
import dev.baton.RestartPolicy;
import dev.baton.RestartStep;
import dev.baton.run.Environment;
import dev.baton.spi.PartitionTopic;
import dev.baton.status.ChainStatus;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A chain, or one partition of it, that is closed and opened again when it fails, as its {@link RestartPolicy} says.
 *
 * <p>Each run is a {@link ChainRun} of its own, so that a restart is the same as one of the process. Opened first by
 * its owner, then by the {@link Restarter}; asked by any thread.
 */
public final class RestartingChain {
    /** Starts a run, given the listener to its failure. */
    interface Opening extends Function<Consumer<Throwable>, ChainRun> {}

    /**
     * Which chain it is, and who is told of what.
     *
     * @param partition {@link PartitionTopic#NONE} of a chain without
     * @param listener null: nobody listens
     * @param onStopped receives what stopped it for good
     * @param onRun receives each run when it is open, and null when that is closed after a failure
     */
    record Owner(
            String chain,
            int partition,
            ChainListener listener,
            Consumer<? super Throwable> onStopped,
            Consumer<ChainRun> onRun) {}

    private final Owner owner;
    private final Opening opening;
    private final Restarter restarter;
    private final Environment environment;
    private final RestartAttempts attempts;
    private volatile ChainRun running; // null while there is none
    private volatile Throwable lastFailure;
    private volatile Throwable failure; // that stopped it for good
    private volatile boolean isStarting; // the first run; a failure is then its starter's
    private volatile boolean isEnded;
    private boolean isLeft; // ended while a run was being opened; guarded by this
    private volatile int restarts;
    private volatile long dueNanos; // of the next step
    private volatile long startedNanos; // of the newest run

    RestartingChain(Owner owner, Opening opening, RestartAttempts attempts, Restarter restarter) {
        this.owner = owner;
        this.opening = opening;
        this.attempts = attempts;
        this.restarter = restarter;
        this.environment = restarter.environment();
        this.dueNanos = environment.nanoTime();
    }

    /** Opens the first run, or throws. {@link #awaitRestored} has to follow. */
    void start() {
        isStarting = true;
        open();
    }

    /** Waits until the services of the first run have their states, or throws; a failure from then on restarts the chain. */
    void awaitRestored() {
        ChainRun first = running;
        first.awaitRestored();
        isStarting = false;
        if (first.failure().isPresent()) {
            runFailed(first.failure().get());
        }
    }

    /** The first run; what keeps it from opening is a failure like that of a later one. */
    void begin() {
        restarter.add(this);
    }

    /** The run in progress, which may have failed already; null between two, and for good when it was given up. */
    ChainRun running() {
        return running;
    }

    /** What stopped it for good; null while it goes on. */
    Throwable failure() {
        return failure;
    }

    /** What stopped the run before, or kept one from opening; null when nothing did. */
    Throwable lastFailure() {
        return lastFailure;
    }

    /** Returns the source of its status: its run, or none between runs. */
    StatusQuery asked(int instance) {
        ChainRun now = running;
        if (now != null && !isRestarting()) {
            return now.asked().with(restarts);
        }
        ChainStatus.Phase phase = isEnded
                ? ChainStatus.Phase.CLOSED
                : failure == null ? ChainStatus.Phase.RESTARTING : ChainStatus.Phase.FAILED;
        Throwable cause = failure == null ? lastFailure : failure;
        return new StatusQuery(owner.chain(), instance, owner.partition(), phase, cause, restarts, null, List.of());
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

    /** Whether a run has failed and another one is to follow. */
    boolean isRestarting() {
        ChainRun now = running;
        return !isEnded && failure == null && (now == null || now.failure().isPresent());
    }

    long dueNanos() {
        return dueNanos;
    }

    /**
     * Opens nothing from now on; waits for an opening in progress until the deadline. A run that opens later is closed at once.
     * The run that is returned, if there is one, is the caller's to close. Idempotent.
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
            running = isUnwanted ? null : opened; // a failure before this is found below, one behind it is reported
        }
        if (isUnwanted) {
            opened.close(Duration.ZERO);
            return;
        }
        owner.onRun().accept(opened);
        if (opened.failure().isPresent()) {
            runFailed(opened.failure().get());
        }
    }

    /** Called by a loop, among others. */
    private void runFailed(Throwable cause) {
        if (running != null && !isEnded && !isStarting) {
            lastFailure = cause;
            dueNanos = environment.nanoTime();
            restarter.add(this);
        }
    }

    /** Closes the run that failed, or opens the next one. By the restarter's thread. */
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
        RestartStep step = attempts.after(cause, now - startedNanos, now);
        lastFailure = step.cause();
        restarts = attempts.restarts();
        if (step.kind() == RestartStep.Kind.GIVE_UP || step.kind() == RestartStep.Kind.REPLACED) {
            failure = cause;
            owner.onStopped().accept(cause);
            return;
        }
        if (step.kind() == RestartStep.Kind.RESTART) {
            report(step);
        }
        dueNanos = now + step.pause().toNanos();
        restarter.add(this);
    }

    private void report(RestartStep step) {
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
