package dev.baton.engine;

import dev.baton.Deployment;
import dev.baton.Requests;
import dev.baton.RunningChain;
import dev.baton.Serde;
import dev.baton.engine.chain.StartReport;
import dev.baton.engine.loop.LoopPool;
import dev.baton.spi.Transport;
import java.util.function.Consumer;

/** The start of a chain or a merge with fixed settings. Confined to the thread that starts or restarts it. */
public abstract class RunStart {
    final Transport transport;
    final RunSettings settings;

    RunStart(Transport transport, RunSettings settings) {
        this.transport = transport;
        this.settings = settings;
    }

    public RunSettings settings() {
        return settings;
    }

    public Transport transport() {
        return transport;
    }

    /** Returns the name of the chain or the merge. */
    public abstract String name();

    /** Throws if the settings contradict each other, the transport or the services. Opens nothing. */
    public abstract void check();

    /**
     * Opens one run after {@link #check}; the states of its services may not be restored yet.
     *
     * @param onFailure called with the failure that stops the run; null to log it
     */
    public abstract ChainRun run(Consumer<? super Throwable> onFailure);

    /**
     * Returns the topic whose newest writer identifies the newest process: the output of the last part in this process, or
     * else its input or the inlet's topic.
     */
    public abstract String decidingTopic();

    /** Returns whether a service of this process writes the deciding topic, so that its writer decides and no reader. */
    public abstract boolean writesDecidingTopic();

    /** Returns the reason for which it has no inlet; null if it has one. */
    public abstract String noInlet();

    /**
     * Opens the requests of a chain that was started here.
     *
     * @throws IllegalStateException if it has no inlet, another inlet, or replies cannot be read here
     */
    public abstract <Q, R> Requests<Q, R> requests(
            RunningChain running, Serde<Q> requestCodec, Serde<R> replyCodec, int mostOpen);

    /** Returns the longest payload that a sender may claim. */
    public abstract int maxPayload();

    public LoopPool loops() {
        return settings.loops;
    }

    /** Starts it as {@link Deployment#start} specifies. */
    public RunningChain start() {
        settings.checkLoops();
        check();
        if (settings.restarts != null) {
            RestartingRun restarting = new RestartingRun(this);
            restarting.start();
            return restarting;
        }
        StartReport report = new StartReport(name(), settings.onFailure);
        ChainRun running = run(report);
        running.awaitRestored();
        report.started();
        return running;
    }
}
