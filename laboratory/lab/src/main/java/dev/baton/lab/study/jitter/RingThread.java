package dev.baton.lab.study.jitter;

import dev.baton.measuring.machine.CoreWatch;
import dev.baton.measuring.machine.Cores;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * One of the two threads: pins itself, notes its number with the kernel, works until it is told to end, and reports what
 * ended it early. {@link #isStopping} is for the thread itself, everything else for the one that made it.
 */
final class RingThread {
    private final Integer core; // null: wherever the scheduler likes
    private final Runnable work;
    private final Consumer<Throwable> onFailure;
    private final CountDownLatch opened = new CountDownLatch(1);
    private final Thread thread;
    private volatile long task;
    private volatile boolean isStopping;

    RingThread(String name, Integer core, Runnable work, Consumer<Throwable> onFailure) {
        this.core = core;
        this.work = work;
        this.onFailure = onFailure;
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    private void run() {
        try {
            if (core != null) {
                Cores.pinThisThread(core);
            }
            task = CoreWatch.thisThread();
            opened.countDown();
            work.run();
        } catch (Throwable failure) { // whatever it was: reported, and the trial ends
            onFailure.accept(failure);
        } finally {
            opened.countDown();
        }
    }

    /** Starts it, and waits until it works or has failed. */
    void start(Duration limit) {
        thread.start();
        try {
            if (!opened.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new IllegalStateException(thread.getName() + " was not ready within " + limit.toSeconds() + " s");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while starting " + thread.getName(), interrupted);
        }
    }

    /** The kernel's number of it; 0 when it has none. */
    long task() {
        return task;
    }

    boolean isStopping() {
        return isStopping;
    }

    /** Ends it, if it has been started. @param halt for work that does not look at {@link #isStopping} */
    void stop(Duration limit, Runnable halt) {
        isStopping = true;
        halt.run();
        LockSupport.unpark(thread);
        try {
            TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1_000_000, limit.toNanos()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive() && thread.getState() != Thread.State.NEW) {
            throw new IllegalStateException(thread.getName() + " did not end within " + limit.toMillis() + " ms");
        }
    }
}
