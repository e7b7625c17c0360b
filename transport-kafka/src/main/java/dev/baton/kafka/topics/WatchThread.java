package dev.baton.kafka.topics;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The thread on which a transport checks its topics: whether writers were replaced (FencingMonitor) and whether topics
 * were deleted ({@link TopicIdMonitor}). It starts with the first task and ends with the transport, so that a
 * connection that takes no turns is checked as well. A task may block for a few seconds. Thread-safe.
 */
public final class WatchThread implements AutoCloseable {
    private static final long STOP_MILLIS = 2_000;

    private ScheduledThreadPoolExecutor thread; // guarded by this; null before the first task
    private boolean isClosed; // guarded by this

    /** Runs a task again and again, with a pause between two runs. Does nothing after the close. */
    public void every(long pauseNanos, Runnable task) {
        ScheduledThreadPoolExecutor worker = worker();
        if (worker != null) {
            try {
                worker.scheduleWithFixedDelay(task, pauseNanos, pauseNanos, TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException closed) {
                // its transport has ended
            }
        }
    }

    /** Runs a task once; false when the transport is closed. */
    public boolean after(long millis, Runnable task) {
        ScheduledThreadPoolExecutor worker = worker();
        if (worker == null) {
            return false;
        }
        try {
            worker.schedule(task, millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }

    private synchronized ScheduledThreadPoolExecutor worker() {
        if (thread == null && !isClosed) {
            thread = new ScheduledThreadPoolExecutor(1, work -> {
                Thread daemon = new Thread(work, "baton-kafka-watch");
                daemon.setDaemon(true);
                return daemon;
            });
            thread.setRemoveOnCancelPolicy(true);
            thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        }
        return isClosed ? null : thread;
    }

    @Override
    public void close() {
        ScheduledThreadPoolExecutor worker;
        synchronized (this) {
            isClosed = true;
            worker = thread;
            thread = null;
        }
        if (worker == null) {
            return;
        }
        worker.shutdownNow();
        boolean wasInterrupted = Thread.interrupted();
        try {
            wasInterrupted |= !worker.awaitTermination(STOP_MILLIS, TimeUnit.MILLISECONDS) && Thread.interrupted();
        } catch (InterruptedException interrupted) {
            wasInterrupted = true;
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
