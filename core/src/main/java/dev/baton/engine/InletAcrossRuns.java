package dev.baton.engine;

import dev.baton.engine.chain.ChainState;
import dev.baton.engine.inlet.InletQueue;
import java.time.Duration;

/**
 * The shared inlet of a chain or a partition that restarts: one queue, whose messages each run sends in turn. Thread-safe.
 */
final class InletAcrossRuns {
    private final ChainState state; // state of all runs together
    private ChainRun newest; // null before the first run
    private volatile InletQueue queue; // null until the inlet is opened

    InletAcrossRuns(ChainState state) {
        this.state = state;
    }

    /** Adds a run that was opened; it sends the waiting messages. If it cannot, it is closed. */
    ChainRun add(ChainRun run) {
        try {
            synchronized (this) {
                newest = run;
                if (queue != null) {
                    run.sendFor(queue);
                }
            }
            return run;
        } catch (RuntimeException | Error failure) {
            run.close(Duration.ZERO);
            throw failure;
        }
    }

    /** Opens the inlet, whose messages the newest run sends, or the next one if that has failed or none is open. */
    synchronized InletQueue open(int capacity, int maxPayload) {
        InletQueue opened = new InletQueue(capacity, maxPayload, state);
        if (newest != null && newest.failure().isEmpty()) {
            newest.sendFor(opened);
        }
        queue = opened;
        return opened;
    }

    /** Records the failure after which no run follows. */
    void stopped(Throwable cause) {
        state.fail(cause);
        end();
    }

    /** Refuses further messages; the current run sends those that wait. */
    void beginClosing() {
        state.beginClosing();
    }

    /** Completes the futures of the messages that wait, if no run follows. */
    void end() {
        InletQueue ending = queue; // not in turn with an opening, which may wait for a loop
        if (ending != null) {
            ending.endIfOver();
        }
    }
}
