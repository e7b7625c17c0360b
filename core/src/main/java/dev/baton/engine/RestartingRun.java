package dev.baton.engine;

import dev.baton.Inlet;
import dev.baton.Requests;
import dev.baton.RunningChain;
import dev.baton.Serde;
import dev.baton.SharedInlet;
import dev.baton.engine.chain.ChainState;
import dev.baton.engine.inlet.ThreadInlet;
import dev.baton.run.Environment;
import dev.baton.run.Limits;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.status.ChainStatus;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** A chain, a tap or a merge that is closed and opened again when it fails. Thread-safe. */
final class RestartingRun implements RunningChain {
    private final RunStart start;
    private final Environment environment;
    private final RestartingChain restarting;
    private final RecentStatus<ChainStatus> recentStatus;
    private final Object entrance = new Object(); // not held by a close, which senders do not wait for
    private RestartingInlet inlet; // guarded by entrance, like isShared
    private boolean isShared;
    private boolean isClosed; // guarded by this, like wasDrained
    private boolean wasDrained;

    RestartingRun(RunStart start) {
        this.start = start;
        RunSettings settings = start.settings();
        environment = settings.loops.environment();
        restarting = new RestartingChain(
                new ChainState(
                        start.name(),
                        settings.instance,
                        PartitionTopic.NONE,
                        settings.onFailure,
                        settings.listener,
                        environment),
                settings.standby,
                start::run,
                settings.restarts.attempts(start.decidingTopic(), start.writesDecidingTopic()),
                start.writesDecidingTopic() ? start.decidingTopic() : null,
                run -> {},
                new Restarter(start.name(), environment));
        recentStatus = new RecentStatus<>(this::status, environment);
    }

    void start() {
        try {
            restarting.start();
        } catch (OccupiedException occupied) {
            if (!start.settings().standby) {
                throw occupied;
            }
            restarting.standBy(occupied);
            return;
        }
        restarting.awaitRestored();
    }

    @Override
    public Inlet inlet() {
        synchronized (entrance) {
            checkInlet(isShared);
            if (inlet == null) {
                inlet = new RestartingInlet(
                        restarting,
                        environment,
                        start.settings().sendLimit.toNanos(),
                        ThreadInlet.isDirect(start.transport()));
            }
            return inlet;
        }
    }

    @Override
    public SharedInlet sharedInlet(int capacity) {
        synchronized (entrance) {
            checkInlet(isShared || inlet != null);
            isShared = true;
        }
        try {
            return restarting.sharedInlet(capacity, start.maxPayload());
        } catch (Throwable failure) {
            synchronized (entrance) {
                isShared = false;
            }
            throw failure;
        }
    }

    private void checkInlet(boolean isTaken) {
        if (start.noInlet() != null) {
            throw new IllegalStateException(start.noInlet());
        }
        if (restarting.isEnded()) {
            throw new IllegalStateException("chain " + start.name() + " is closed");
        }
        if (isTaken) {
            throw new IllegalStateException("chain " + start.name() + " has another inlet already: "
                    + (isShared ? start.settings().replies.entrance() : "inlet()"));
        }
    }

    @Override
    public Inlet inlet(int partition) {
        throw new IllegalStateException(
                "chain " + start.name() + " has no partitions; send through inlet() or sharedInlet(...)");
    }

    @Override
    public OptionalLong firstSequence() {
        ChainRun run = restarting.running();
        return run == null ? OptionalLong.empty() : run.firstSequence();
    }

    @Override
    public <Q, R> Requests<Q, R> requests(Serde<Q> requestCodec, Serde<R> replyCodec, int mostOpen) {
        return start.requests(this, requestCodec, replyCodec, mostOpen);
    }

    @Override
    public ChainStatus status() {
        return StatusQuery.of(restarting.asked(), environment);
    }

    @Override
    public ChainStatus status(Duration maxAge) {
        return recentStatus.get(maxAge);
    }

    @Override
    public Optional<Throwable> failure() {
        return Optional.ofNullable(restarting.failure());
    }

    @Override
    public Optional<Throwable> lastFailure() {
        return Optional.ofNullable(restarting.lastFailure());
    }

    @Override
    public int restarts() {
        return restarting.restarts();
    }

    @Override
    public synchronized boolean close(Duration limit) {
        Duration capped = Limits.capped("limit", limit);
        if (!isClosed) {
            isClosed = true;
            long deadline = environment.nanoTime() + capped.toNanos();
            ChainRun last = restarting.end(deadline + SectionRemoval.CALL_NANOS);
            long left = Math.max(0, deadline - environment.nanoTime());
            wasDrained = last == null ? restarting.isStandingBy() : last.close(Duration.ofNanos(left));
            restarting.endInlet();
            start.settings().replies.close();
        }
        return wasDrained;
    }
}
