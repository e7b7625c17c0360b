package dev.baton.tck.harness;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An action on a thread of its own, and its outcome. Thread-safe. */
public final class OtherThread {
    private static final long LIMIT_SECONDS = 100;

    private OtherThread() {}

    /** Runs an action and returns its result, or throws its exception. */
    public static <T> T call(String name, Callable<T> action) throws Exception {
        FutureTask<T> task = start(name, action);
        return outcome(task);
    }

    public static <T> FutureTask<T> start(String name, Callable<T> action) {
        FutureTask<T> task = new FutureTask<>(action);
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    /**
     * Returns the result of an action, or throws its exception.
     *
     * @throws AssertionError when it has not ended within {@value #LIMIT_SECONDS} seconds
     */
    public static <T> T outcome(FutureTask<T> task) throws Exception {
        try {
            return task.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            task.cancel(true);
            throw new AssertionError("another thread of the test has not ended within " + LIMIT_SECONDS + " s", late);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Error error) {
                throw error;
            }
            throw (Exception) failed.getCause();
        }
    }
}
