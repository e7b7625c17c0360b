package dev.baton.chronicle;

/**
 * The thread that a connection and everything opened there belongs to, until it is closed. The check costs about a
 * nanosecond.
 */
final class Owner {
    /** Whose thread nothing runs on: of what was closed before its connection. */
    static final Owner CLOSED = new Owner();

    static {
        CLOSED.close();
    }

    private final String threadName = Thread.currentThread().getName();

    /** Null once closed. */
    private Thread thread = Thread.currentThread();

    /** @throws IllegalStateException for another thread, or after close */
    void check() {
        if (Thread.currentThread() != thread) {
            throw misuse();
        }
    }

    boolean isOpen() {
        return thread != null;
    }

    void close() {
        thread = null;
    }

    private IllegalStateException misuse() {
        return new IllegalStateException(
                isOpen()
                        ? "the connection belongs to thread '" + threadName + "', this is thread '"
                                + Thread.currentThread().getName() + "'"
                        : "closed: open it again, through a connection that is open");
    }
}
