package dev.baton;

import dev.baton.run.Environment;
import dev.baton.run.Limits;
import dev.baton.spi.PartitionTopic;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A chain, a tap or a merge that is closed and opened again when it fails, on a thread that is no loop. Each run makes its services anew and
 * goes on where the topics stand, as after a restart of the process; a {@link Source} and the output handler are the same in
 * all runs. Thread-safe.
 */
public final class SupervisedChain implements AutoCloseable {
    /**
     * Which runs follow each other.
     *
     * @param name of the chain
     * @param listener null: nobody listens
     * @param onFailure receives what stopped it for good; null: it is logged
     * @param opening starts a run
     * @param decidingTopic where a newer process that replaced this one has taken over
     * @param noInlet why it has no inlet; null: it has one
     */
    record Runs(
            String name,
            ChainListener listener,
            Consumer<? super Throwable> onFailure,
            Environment environment,
            RestartingChain.Opening opening,
            String decidingTopic,
            String noInlet,
            long sendLimitNanos) {}

    private final Runs runs;
    private final RestartingChain restarting;
    private final RecentStatus recentStatus;
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
        recentStatus = new RecentStatus(this::status, runs.environment());
    }

    void start() {
        restarting.start();
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
     * {@return the inlet for one thread, which goes on across restarts} While the chain restarts there is no room: {@code
     * tryClaim} returns null, {@code send}, {@code batch} and {@code sequence} wait as long as {@link Deployment#sendWithin}
     * allows.
     *
     * <p>What was sent and was not stored ({@link Inlet#storedSequence}) when the chain failed may be lost, and the next
     * messages take its sequences: {@link Inlet#sequence} says after a restart where the topic ends. A claim or a batch that
     * was open then cannot be committed: nothing of it was sent. A {@code send} whose transport failed while it was handed
     * over throws {@link ChainFailedException}: its message may be stored or not. So does every call once the chain has
     * stopped for good.
     *
     * @throws IllegalStateException when a source feeds the chain, or it reads what other chains write, as taps and merges do;
     *     or when it has a shared inlet
     */
    public synchronized Inlet inlet() {
        checkInlet(isShared);
        if (inlet == null) {
            inlet = new RestartingInlet(restarting, runs.environment(), runs.sendLimitNanos());
        }
        return inlet;
    }

    /**
     * Opens the inlet for many threads, which goes on across restarts. While the chain restarts it takes messages, until
     * {@code capacity} of them wait; the next run sends them, in order.
     *
     * <p>A message that was sent and is not known to be stored when a run fails may be lost. {@link SharedInlet#offerStored}
     * says so: its answer completes with a {@link ChainFailedException} that names that failure, although the chain goes on.
     * {@link SharedInlet#offer} cannot tell. Once the chain is closed or has stopped for good, nothing is taken, and all
     * answers that are due complete. May block within {@link Deployment#openWithin}.
     *
     * @param capacity messages that may wait for the loop, 1 or more
     * @return the inlet; a chain has one at most
     * @throws IllegalStateException when the chain has another inlet already, or none as for {@link #inlet}, or is closed
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
     * {@return how the chain is, and where each of its parts stands; while it restarts, without parts and with the failure
     * that caused that} As {@link RunningChain#status()}.
     */
    public ChainStatus status() {
        RunningChain now = restarting.running();
        if (now != null && !restarting.isRestarting()) {
            return now.status();
        }
        return ChainStatus.of(
                runs.name(),
                phase(),
                restarting.failure() == null ? restarting.lastFailure() : restarting.failure(),
                List.of(),
                runs.environment());
    }

    private ChainStatus.Phase phase() {
        if (restarting.isEnded()) {
            return ChainStatus.Phase.CLOSED;
        }
        return restarting.failure() == null ? ChainStatus.Phase.RESTARTING : ChainStatus.Phase.FAILED;
    }

    /**
     * {@return {@link #status()}, or the answer of an earlier call of this method} For monitors that ask for one figure after
     * the other.
     *
     * @param maxAge of such an answer
     */
    public ChainStatus status(Duration maxAge) {
        return recentStatus.get(maxAge);
    }

    /** {@return what stopped the chain for good, if anything did} */
    public Optional<Throwable> failure() {
        return Optional.ofNullable(restarting.failure());
    }

    /** {@return what stopped a run last, or kept one from opening, if anything did} */
    public Optional<Throwable> lastFailure() {
        return Optional.ofNullable(restarting.lastFailure());
    }

    /** {@return the number of restarts that were begun so far; tries of one that stands by are none} */
    public int restarts() {
        return restarting.restarts();
    }

    /** Closes within {@link RunningChain#CLOSE_LIMIT} and the time that the transport needs to open or close. */
    @Override
    public void close() {
        close(RunningChain.CLOSE_LIMIT);
    }

    /**
     * Opens nothing again, and closes the run as {@link RunningChain#close(Duration)} does. A chain that waits for its
     * restart is closed at once; one that is being opened when that ends. Idempotent.
     *
     * @param limit for the run, to pass on and store what is in hand; a negative one counts as zero
     * @return whether everything was passed on and stored; false where the newest run had failed
     */
    public synchronized boolean close(Duration limit) {
        Duration capped = Limits.capped("limit", limit);
        if (!isClosed) {
            isClosed = true;
            state.beginClosing();
            RunningChain last = restarting.end();
            wasDrained = last != null && last.close(capped);
            endSharedInlet();
        }
        return wasDrained;
    }
}
