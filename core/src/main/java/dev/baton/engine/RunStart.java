package dev.baton.engine;

import dev.baton.Deployment;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.util.function.Consumer;

/**
 * The start of a chain or a merge with fixed settings. Confined to the thread that starts it, or to the one that restarts
 * it.
 */
public interface RunStart {
    RunSettings settings();

    Transport transport();

    /** Returns the name of the chain or the merge. */
    String name();

    /** Throws if the settings do not fit each other, the transport or the services. Opens nothing. */
    void check();

    /**
     * Opens one run, which was checked; the states of its services may not be restored yet.
     *
     * @param onFailure receives what stops the run; null: it is logged
     */
    ChainRun run(Consumer<? super Throwable> onFailure);

    /** Returns the topic at which a newer process has taken over: what the last part here writes, or else reads or sends. */
    String decidingTopic();

    /** Returns why it has no inlet; null if it has one. */
    String noInlet();

    default Loops loops() {
        return settings().loops;
    }

    /** Starts it as {@link Deployment#start} says. */
    default RunningChain start() {
        settings().checkLoops();
        check();
        if (settings().restarts != null) {
            RestartingRun restarting = new RestartingRun(this);
            restarting.start();
            return restarting;
        }
        ChainRun running = run(settings().onFailure);
        running.awaitRestored();
        return running;
    }
}
