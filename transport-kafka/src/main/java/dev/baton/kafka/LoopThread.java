package dev.baton.kafka;

/** The thread that a connection belongs to; another one after {@link #adopt}. Thread-safe. */
final class LoopThread {
    private volatile Thread thread = Thread.currentThread();

    /** Makes the calling thread the owner. */
    void adopt() {
        thread = Thread.currentThread();
    }

    boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    Thread thread() {
        return thread;
    }
}
