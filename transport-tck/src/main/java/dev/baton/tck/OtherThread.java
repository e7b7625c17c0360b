package dev.baton.tck;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Runs something on a thread of its own and hands its outcome back. Thread-safe. */
final class OtherThread {
    private OtherThread() {}

    /** Waits for the outcome; throws what the action threw, as it was. */
    static <T> T call(String name, Callable<T> action) throws Exception {
        FutureTask<T> task = start(name, action);
        return outcome(task);
    }

    static <T> FutureTask<T> start(String name, Callable<T> action) {
        FutureTask<T> task = new FutureTask<>(action);
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    static <T> T outcome(FutureTask<T> task) throws Exception {
        try {
            return task.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Error error) {
                throw error;
            }
            throw (Exception) failed.getCause();
        }
    }
}
