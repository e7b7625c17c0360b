package dev.baton.spi;

import java.util.function.Supplier;

/**
 * The opening of a writer or a reader in two steps, so that what blocks does not hold up the thread that the connection
 * belongs to.
 *
 * <p>{@link #prepare} comes first, then one of {@link #finish} and {@link #withdraw}. A step that throws is the last and
 * leaves nothing behind: no lock, client, thread or place. The connection may fail or be closed between the steps;
 * {@code finish} throws then, and {@code withdraw} still releases what was prepared.
 *
 * <p>The steps may be taken by different threads, one after the other; the caller orders them.
 *
 * @param <T> what is opened
 */
public interface Opening<T> {
    /**
     * {@return an opening with nothing to prepare: all of it is done by the second step, on the connection's thread}
     *
     * @param <T> what is opened
     * @param open opens it, and leaves nothing behind when it throws
     */
    static <T> Opening<T> atOnce(Supplier<T> open) {
        return new Opening<>() {
            @Override
            public void prepare() {}

            @Override
            public T finish() {
                return open.get();
            }

            @Override
            public void withdraw() {}
        };
    }

    /**
     * Does what may block, within a stated time. Called by any thread, while the connection's thread goes on with other
     * work.
     */
    void prepare();

    /**
     * Opens from what was prepared. Called by the connection's thread, which it does not block.
     *
     * @return what was opened
     */
    T finish();

    /** Releases what was prepared. Called by any thread; may block for a stated time. */
    void withdraw();
}
