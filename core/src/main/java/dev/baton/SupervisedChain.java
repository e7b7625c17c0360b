package dev.baton;

import dev.baton.run.Environment;
import dev.baton.run.Limits;
import dev.baton.spi.PartitionTopic;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A chain, a tap or a merge that is closed and opened again when it fails, on a thread that is not a loop. Each run creates new
 * services and continues from the positions in the topics, as after a restart of the process. A {@link Source} and the output
 * handler are the same objects in all runs. Thread-safe.
 */
public final class SupervisedChain implements AutoCloseable {
    /**
     * Which runs follow each other.
     *
     * @param name of the chain
     * @param instance its number
     * @param listener null: nobody listens
     * @param onFailure receives what stopped it for good; null: it is logged
     * @param opening starts a run
     * @param decidingTopic where a newer process that replaced this one has taken over
     * @param noInlet why it has no inlet; null: it has one
     */
    record Runs(
            String name,
            int instance,
            ChainListener listener,
            Consumer<? super Throwable> onFailure,
            Environment environment,
            RestartingChain.Opening opening,
            String decidingTopic,
            String noInlet,
            long sendLimitNanos) {}

    private final Runs runs;
    private final RestartingChain restarting;
    private final RecentStatus<ChainStatus> recentStatus;
    private final ChainState state; // of all runs together
    private final Object sending = new Object(); // guards the next two
    private RunningChain newest;
    private SharedInlet sharedInlet;
    private RestartingInlet inlet; // guarded by this, as what follows
    private boolean isShared;
    private boolean isClosed;
    private boolean wasDrained;

    SupervisedChain(Runs runs, RestartPolicy policy) {
        this.runs = runs;
        state = new ChainState(runs.name(), runs.onFailure(), null, runs.environment());
        restarting = new RestartingChain(
                new RestartingChain.Owner(runs.name(), PartitionTopic.NONE, runs.listener(), this::stopped, run -> {}),
                this::opened,
                policy.attempts(runs.decidingTopic()),
                new Restarter(runs.name(), runs.environment()));
        recentStatus = new RecentStatus<>(this::status, runs.environment());
    }

    void start() {
        restarting.start();
        restarting.awaitRestored();
    }

    private void stopped(Throwable cause) {
        state.fail(cause);
        endSharedInlet();
    }

    /** A run that sends what waits in the shared inlet, if there is one. */
    private RunningChain opened(Consumer<Throwable> onFailure) {
        RunningChain run = runs.opening().apply(onFailure);
        try {
            synchronized (sending) {
                newest = run;
                if (sharedInlet != null) {
                    run.sendFor(sharedInlet);
                }
            }
            return run;
        } catch (RuntimeException | Error failure) {
            run.close(Duration.ZERO);
            throw failure;
        }
    }

    private void endSharedInlet() {
        SharedInlet ending;
        synchronized (sending) {
            ending = sharedInlet;
        }
        if (ending != null) {
            ending.endIfOver();
        }
    }

    /**
     * {@return the inlet for one thread, which remains usable across restarts} While the chain restarts there is no room:
     * {@code tryClaim} returns null; {@code send}, {@code batch} and {@code sequence} wait for at most {@link
     * Deployment#sendWithin}.
     *
     * <p>Messages that were sent but not stored ({@link Inlet#storedSequence}) when the chain failed may be lost, and the next
     * messages reuse their sequences: after a restart {@link Inlet#sequence} returns the end of the topic. A claim or a batch
     * that was open at the failure cannot be committed: nothing of it was sent. If the transport fails while {@code send} hands
     * a message over, {@code send} throws {@link ChainFailedException}, and the message may or may not be stored. Once the
     * chain has stopped for good, every call throws this exception.
     *
     * @throws IllegalStateException if a source feeds the chain, if it reads topics of other chains, as taps and merges do, or
     *     if it has a shared inlet
     */
    public synchronized Inlet inlet() {
        checkInlet(isShared);
        if (inlet == null) {
            inlet = new RestartingInlet(restarting, runs.environment(), runs.sendLimitNanos());
        }
        return inlet;
    }

    /**
     * Opens the inlet for many threads, which remains usable across restarts. While the chain restarts it takes messages until
     * {@code capacity} of them wait; the next run sends them, in order.
     *
     * <p>If a run fails, a message that was sent and is not known to be stored may be lost. {@link SharedInlet#offerStored}
     * reports this: its future completes with a {@link ChainFailedException} that names the failure, although the chain
     * continues. {@link SharedInlet#offer} cannot report it. Once the chain is closed or has stopped for good, no message is
     * taken, and all pending futures complete. May block within {@link Deployment#openWithin}.
     *
     * @param capacity number of messages that may wait for the loop, 1 or more
     * @return the inlet; a chain has one at most
     * @throws IllegalStateException if the chain has another inlet already, has none as for {@link #inlet}, or is closed
     */
    public SharedInlet sharedInlet(int capacity) {
        synchronized (this) {
            checkInlet(isShared || inlet != null);
            isShared = true;
        }
        try {
            synchronized (sending) {
                SharedInlet opened = newest.sharedInlet(capacity, state);
                if (newest.failure().isEmpty()) {
                    newest.sendFor(opened);
                } // else the next run will
                sharedInlet = opened;
                return opened;
            }
        } catch (RuntimeException | Error failure) {
            synchronized (this) {
                isShared = false;
            }
            throw failure;
        }
    }

    private void checkInlet(boolean isTaken) {
        if (runs.noInlet() != null) {
            throw new IllegalStateException(runs.noInlet());
        }
        if (isTaken) {
            throw new IllegalStateException("chain " + runs.name() + " has another inlet already: "
                    + (isShared ? "sharedInlet(...)" : "inlet()"));
        }
    }

    /**
     * {@return the status of the chain and of each of its parts; while it restarts, without parts and with the failure that
     * caused the restart} As {@link RunningChain#status()}.
     */
    public ChainStatus status() {
        return ChainStatus.of(restarting.asked(runs.instance()), runs.environment());
    }

    /** {@return the chain's health, as of {@link #status()}} */
    public ChainHealth health() {
        return status().health();
    }

    /**
     * {@return {@link #status()}, or the result of an earlier call of this method} For monitors that read one figure after the
     * other.
     *
     * @param maxAge maximum age of an earlier result
     */
    public ChainStatus status(Duration maxAge) {
        return recentStatus.get(maxAge);
    }

    /** {@return the failure that stopped the chain for good; empty if there was none} */
    public Optional<Throwable> failure() {
        return Optional.ofNullable(restarting.failure());
    }

    /** {@return the last failure that stopped a run or prevented it from opening; empty if there was none} */
    public Optional<Throwable> lastFailure() {
        return Optional.ofNullable(restarting.lastFailure());
    }

    /** {@return the number of restarts so far, not counting the attempts of a chain that stands by} */
    public int restarts() {
        return restarting.restarts();
    }

    /** Closes within {@link RunningChain#CLOSE_LIMIT}, as {@link #close(Duration)}. */
    @Override
    public void close() {
        close(RunningChain.CLOSE_LIMIT);
    }

    /**
     * Ends the restarts, and closes the current run as {@link RunningChain#close(Duration)} does. A chain that waits for its
     * restart is closed at once; a chain that is being opened is closed when the opening ends, which is waited for until the limit
     * and 500 ms longer. Idempotent.
     *
     * @param limit time for the run to deliver and store messages in progress; a negative one counts as zero
     * @return whether everything was delivered and stored; false if the newest run had failed
     */
    public synchronized boolean close(Duration limit) {
        Duration capped = Limits.capped("limit", limit);
        if (!isClosed) {
            isClosed = true;
            state.beginClosing();
            long deadline = runs.environment().nanoTime() + capped.toNanos();
            RunningChain last = restarting.end(deadline + SectionRemoval.CALL_NANOS);
            long left = Math.max(0, deadline - runs.environment().nanoTime());
            wasDrained = last != null && last.close(Duration.ofNanos(left));
            endSharedInlet();
        }
        return wasDrained;
    }
}
