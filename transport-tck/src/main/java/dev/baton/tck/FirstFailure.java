package dev.baton.tck;

import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What failed first among the threads of a test: the cause. The others stop when they see that there is one, so that none
 * of them reports that it waited in vain for the thread that failed. Thread-safe.
 */
final class FirstFailure {
    private final AtomicReference<Throwable> first = new AtomicReference<>();

    /** Runs a thread's part of the test; -1 when it failed. */
    long orResultOf(Callable<Long> part) {
        try {
            return part.call();
        } catch (Exception | Error failed) {
            if (!first.compareAndSet(null, failed)) {
                first.get().addSuppressed(failed);
            }
            return -1;
        }
    }

    boolean isThere() {
        return first.get() != null;
    }

    /** Throws what failed first, as it was. */
    void rethrow() throws Exception {
        if (first.get() instanceof Error error) {
            throw error;
        }
        if (first.get() != null) {
            throw (Exception) first.get();
        }
    }
}
