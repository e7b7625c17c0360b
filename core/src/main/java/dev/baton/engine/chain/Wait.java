package dev.baton.engine.chain;

import dev.baton.run.Environment;

/**
 * A wait in steps, which an interrupt does not end: an interrupted thread does not park, and would take a core until the wait
 * ends. The interrupt is cleared meanwhile, also one that arrives during the wait, and restored by the close. Confined to one
 * thread.
 */
public final class Wait implements AutoCloseable {
    private final Environment environment;
    private boolean wasInterrupted = Thread.interrupted();

    /** Begins a wait of the calling thread. */
    public Wait(Environment environment) {
        this.environment = environment;
    }

    /** Suspends the thread for a time; may return early. */
    public void park(long nanos) {
        environment.park(nanos);
        wasInterrupted |= Thread.interrupted();
    }

    @Override
    public void close() {
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
