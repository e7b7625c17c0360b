package dev.baton.spi;

import dev.baton.spi.errors.ReplacedException;
import java.util.function.Supplier;

/**
 * The opening of a writer or a reader in two steps, so that the thread of the connection does not block.
 *
 * <p>{@link #prepare} comes first, then one of {@link #finish} and {@link #withdraw}. If a step throws, it is the last one
 * and has released everything: locks, clients, threads and registrations. The connection may fail or be closed between the
 * steps; then {@code finish} throws, and {@code withdraw} still releases what was prepared.
 *
 * <p>The steps may be taken by different threads, one after the other; the caller orders them.
 *
 * @param <T> what is opened
 */
public interface Opening<T> {
    /**
     * {@return an opening with nothing to prepare: the second step does everything, on the connection's thread}
     *
     * @param <T> what is opened
     * @param open opens it, and has released everything if it throws
     */
    static <T> Opening<T> atOnce(Supplier<T> open) {
        return new Opening<>() {
            @Override
            public boolean isAtOnce() {
                return true;
            }

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

    /** {@return whether there is nothing to prepare, so that a thread that must not block takes both steps; false by default} */
    default boolean isAtOnce() {
        return false;
    }

    /**
     * Does what may block, for the time that {@link Transport} states. Called by any thread, while the connection's thread
     * continues with other work.
     */
    void prepare();

    /**
     * Checks in the storage that a writer is the newest one of its topic. Of several processes that open the same writers in the same
     * order and then check the first of them, only the one that opened the first writer last passes. Called after {@link #prepare},
     * by any thread, before or after {@link #finish}; may block as long as {@code prepare}. If it throws, the opening, or what was
     * opened, is still to be released. The default, for readers and for transports that exclude a second writer, does nothing.
     *
     * @throws ReplacedException if a newer writer was opened
     */
    default void requireNewest() {}

    /**
     * Completes the prepared opening. Called by the connection's thread, which it does not block.
     *
     * @return what was opened
     */
    T finish();

    /**
     * Takes all steps on the connection's thread. May block.
     *
     * @return what was opened
     */
    default T open() {
        prepare();
        return finish();
    }

    /** Releases a prepared opening. Called by any thread; may block as long. */
    void withdraw();
}
