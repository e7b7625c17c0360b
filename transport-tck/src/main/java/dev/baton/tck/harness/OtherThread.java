package dev.baton.tck.harness;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs something on a thread of its own and hands its outcome back. Thread-safe. */
public final class OtherThread {
    private static final long LIMIT_SECONDS = 100;

    private OtherThread() {}

    /** Waits for the outcome; throws what the action threw, as it was. */
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
     * What the action returned; throws what it threw, as it was.
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
