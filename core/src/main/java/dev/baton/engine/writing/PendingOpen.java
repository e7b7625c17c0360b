package dev.baton.engine.writing;

import dev.baton.spi.Opening;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One {@link Opening}, whose steps are called by threads that do not wait for each other. If another thread withdraws it
 * while it is being prepared, the preparing thread releases it. Thread-safe.
 */
public final class PendingOpen<T> {
    private enum State {
        BEGUN,
        PREPARED,
        FINISHED,
        WITHDRAWN
    }

    private final Opening<T> opening;
    private final AtomicReference<State> state = new AtomicReference<>(State.BEGUN);

    PendingOpen(Opening<T> opening) {
        this.opening = opening;
    }

    boolean isAtOnce() {
        return opening.isAtOnce();
    }

    /** Does the steps that may block. Called once. */
    void prepare() {
        checkWanted();
        opening.prepare();
        if (!state.compareAndSet(State.BEGUN, State.PREPARED)) {
            opening.withdraw();
            checkWanted();
        }
    }

    /** Completes the opening after {@link #prepare}, on the connection's thread. Called once. */
    T finish() {
        if (!state.compareAndSet(State.PREPARED, State.FINISHED)) {
            throw new IllegalStateException("cannot be opened, as it is " + state.get());
        }
        return opening.finish();
    }

    /**
     * Releases an opening that is prepared and not finished. If it is being prepared, {@link #prepare} releases it at its
     * end. Idempotent.
     */
    void withdraw() {
        if (state.compareAndSet(State.PREPARED, State.WITHDRAWN)) {
            opening.withdraw();
        } else if (!state.compareAndSet(State.BEGUN, State.WITHDRAWN)
                && state.compareAndSet(State.PREPARED, State.WITHDRAWN)) {
            opening.withdraw(); // it was prepared between the two checks
        }
    }

    private void checkWanted() {
        if (state.get() == State.WITHDRAWN) {
            throw new IllegalStateException("withdrawn while it was opened");
        }
    }
}
