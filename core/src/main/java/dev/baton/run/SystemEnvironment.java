package dev.baton.run;

import dev.baton.engine.loop.VirtualThreads;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The clocks and threads of this JVM. Thread-safe. */
enum SystemEnvironment implements Environment {
    INSTANCE;

    private final Set<Thread> workers = ConcurrentHashMap.newKeySet();

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long wallNanos() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }

    @Override
    public Thread thread() {
        return Thread.currentThread();
    }

    @Override
    public void park(long nanos) {
        LockSupport.parkNanos(nanos);
    }

    @Override
    public void unpark(Thread thread) {
        LockSupport.unpark(thread);
    }

    @Override
    public void yield() {
        Thread.yield();
    }

    @Override
    public void spin() {
        Thread.onSpinWait();
    }

    @Override
    public Thread start(String name, ThreadFactory threads, Worker worker) {
        Thread thread = threads.newThread(() -> {
            workers.add(Thread.currentThread());
            try {
                while (worker.turn()) {
                    // the worker parks itself
                }
            } finally {
                workers.remove(Thread.currentThread());
            }
        });
        thread.start();
        return thread;
    }

    @Override
    public boolean isWorker() {
        return workers.contains(Thread.currentThread());
    }

    @Override
    public Executor workers(String name) {
        return VirtualThreads.executor(name);
    }

    /** Waits on an interrupted thread as well: the caller releases next what the thread still uses. */
    @Override
    public boolean join(Thread thread, long nanos) {
        boolean wasInterrupted = Thread.interrupted();
        long end = nanoTime() + nanos;
        for (long left = Math.max(1, nanos); thread.isAlive() && left > 0; left = end - nanoTime()) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, left);
            } catch (InterruptedException interrupted) {
                wasInterrupted = true;
            }
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
