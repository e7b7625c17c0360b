package dev.baton.benchmark.machine;

import dev.baton.benchmark.measure.NanoClock;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that sleeps for 2 ms, over and over, and notes how much longer it slept: what nobody on this machine
 * could have done anything about, because the platform, the collector or the scheduler did not let them. After
 * jHiccup (Tene), with 2 ms in place of 1 ms, which took 1.7 % of a core on a busy two-core virtual machine.
 *
 * <p>{@link #start} and {@link #close} are called by one thread; the log is thread-safe.
 */
final class HiccupProbe implements AutoCloseable {
    static final long SLEEP_NANOS = 2_000_000;

    private final NanoClock clock;
    private final OversleepLog log;
    private final Thread thread;
    private volatile boolean isStopping;

    HiccupProbe(NanoClock clock) {
        this.clock = clock;
        this.log = new OversleepLog();
        thread = new Thread(this::run, "baton-lab-probe");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    Thread thread() {
        return thread;
    }

    OversleepLog log() {
        return log;
    }

    private void run() {
        while (!isStopping) {
            long before = clock.nanoTime();
            LockSupport.parkNanos(SLEEP_NANOS);
            long now = clock.nanoTime();
            log.slept(now, now - before - SLEEP_NANOS);
        }
    }

    @Override
    public void close() {
        isStopping = true;
        LockSupport.unpark(thread);
        try {
            thread.join(1_000);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
