package dev.baton.measuring;

import java.util.concurrent.locks.LockSupport;

/** Ends of threads. Stateless, thread-safe. */
public final class Threads {
    private Threads() {}

    /** Wakes a thread that was told to end, and waits for its end, at most so long; an interrupt ends the wait, and is kept. */
    public static void awaitEnd(Thread thread, long millis) {
        LockSupport.unpark(thread);
        try {
            thread.join(millis);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
