package dev.baton.lab.engines;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** A thread that runs one {@link Stage} and reports what ended it early. Used by the thread that made it. */
final class ReferenceThread {
    private final Runnable onStart;
    private final Stage stage;
    private final Consumer<Throwable> onFailure;
    private final StopSignal stop = new StopSignal();
    private final CountDownLatch opened = new CountDownLatch(1);
    private final Thread thread;

    /** @param onStart called by the thread before anything else */
    ReferenceThread(String name, Runnable onStart, Stage stage, Consumer<Throwable> onFailure) {
        this.onStart = onStart;
        this.stage = stage;
        this.onFailure = onFailure;
        thread = new Thread(this::run, name);
        thread.setDaemon(true); // a library that hangs shall not keep the JVM
    }

    private void run() {
        try {
            try {
                onStart.run();
                stage.open();
                opened.countDown();
                stage.run(stop);
            } finally {
                stage.close();
            }
        } catch (Throwable failure) { // also what a library throws that is no exception: reported, and the trial ends
            onFailure.accept(failure);
        } finally {
            opened.countDown();
        }
    }

    void start() {
        thread.start();
    }

    /** Waits until the stage is open, or has failed. @return false when it is neither after that time */
    boolean awaitOpen(Duration limit) throws InterruptedException {
        return opened.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Tells the thread that nothing is written any more into what it reads. */
    void drain() {
        stop.drain();
        LockSupport.unpark(thread);
    }

    /** Whether it has passed on all that it was to read. After {@link #drain}. */
    boolean isAtEnd() {
        return stage.isAtEnd();
    }

    /** Whether all that it passed on is stored. After its end. */
    boolean isStored() {
        return stage.isStored();
    }

    /** Asks the thread to end. */
    void stop() {
        stop.set();
        stage.halt();
        LockSupport.unpark(thread);
    }

    /** @return false when it still runs after that time */
    boolean awaitEnd(long nanos) throws InterruptedException {
        if (nanos > 0) {
            TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(nanos, 1_000_000));
        }
        return hasEnded();
    }

    boolean hasEnded() {
        return !thread.isAlive();
    }

    String name() {
        return thread.getName();
    }
}
