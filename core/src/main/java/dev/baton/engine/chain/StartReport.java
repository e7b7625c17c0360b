package dev.baton.engine.chain;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The failure listener of a chain that is being started. A failure during the start is thrown by the start, so it is not reported
 * as well; what has failed by the end of a successful start, and later, goes to the listener. Thread-safe.
 */
public final class StartReport implements Consumer<Throwable> {
    private final String chain;
    private final Consumer<? super Throwable> onFailure;
    private final List<Throwable> pending = new ArrayList<>(); // guarded by this, like isStarted; one of each partition
    private boolean isStarted;

    /**
     * Creates the listener of one start.
     *
     * @param onFailure listener of the chain; null to log failures
     */
    public StartReport(String chain, Consumer<? super Throwable> onFailure) {
        this.chain = chain;
        this.onFailure = onFailure == null ? cause -> ChainState.log(chain, cause) : onFailure;
    }

    @Override
    public void accept(Throwable cause) {
        synchronized (this) {
            if (!isStarted) {
                pending.add(cause);
                return;
            }
        }
        onFailure.accept(cause);
    }

    /** Ends a start that throws nothing. */
    public void started() {
        synchronized (this) {
            isStarted = true; // nothing is added from now on
        }
        pending.forEach(cause -> ChainState.report(chain, onFailure, cause));
    }
}
