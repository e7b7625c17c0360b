package dev.baton.engine.writing;

import dev.baton.spi.Opening;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One {@link Opening}, whose steps come from threads that do not wait for each other: it is withdrawn by the thread that
 * prepares it when another thread has withdrawn it meanwhile. Thread-safe.
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

    /** Does what may block. Called once. */
    void prepare() {
        checkWanted();
        opening.prepare();
        if (!state.compareAndSet(State.BEGUN, State.PREPARED)) {
            opening.withdraw();
            checkWanted();
        }
    }

    /** Opens, after {@link #prepare}, on the connection's thread. Called once. */
    T finish() {
        if (!state.compareAndSet(State.PREPARED, State.FINISHED)) {
            throw new IllegalStateException("not to be opened: " + state.get());
        }
        return opening.finish();
    }

    /** Releases what is prepared and not finished, or has {@link #prepare} do so when it comes to its end. Idempotent. */
    void withdraw() {
        if (state.compareAndSet(State.PREPARED, State.WITHDRAWN)) {
            opening.withdraw();
        } else if (!state.compareAndSet(State.BEGUN, State.WITHDRAWN)
                && state.compareAndSet(State.PREPARED, State.WITHDRAWN)) {
            opening.withdraw(); // its preparing came to an end between the two looks
        }
    }

    private void checkWanted() {
        if (state.get() == State.WITHDRAWN) {
            throw new IllegalStateException("withdrawn while it was opened");
        }
    }
}
