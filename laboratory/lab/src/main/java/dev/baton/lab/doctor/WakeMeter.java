package dev.baton.lab.doctor;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/**
 * Measures pauses and wake-ups: this thread pauses, then wakes another one that has parked, over and over. Neither spins
 * for longer than a wake-up takes. Confined to the thread that calls it.
 */
final class WakeMeter {
    static final long PAUSE_NANOS = 50_000;

    /** For one answer; a thread that takes longer has been lost by the machine, and the meter gives up. */
    private static final long PATIENCE_NANOS = 2_000_000_000;

    private static final String SLACK = "proc/self/timerslack_ns";

    private final Histogram pauses = new Histogram(3);
    private final Histogram wakes = new Histogram(3);
    private final Thread sleeper = new Thread(this::sleep, "baton-doctor-sleeper");
    private volatile long calledNanos; // 0: no call is open
    private volatile boolean isStopping;

    private WakeMeter() {
        sleeper.setDaemon(true);
    }

    static Wakes measure(KernelTree tree, long forNanos, BooleanSupplier isInterrupted) {
        WakeMeter meter = new WakeMeter();
        meter.sleeper.start();
        try {
            meter.run(forNanos, isInterrupted);
        } finally {
            meter.stop();
        }
        return new Wakes(tree.number(SLACK), PAUSE_NANOS, Quantiles.of(meter.pauses), Quantiles.of(meter.wakes));
    }

    private void run(long forNanos, BooleanSupplier isInterrupted) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < forNanos && !isInterrupted.getAsBoolean()) {
            long before = System.nanoTime();
            LockSupport.parkNanos(PAUSE_NANOS);
            long now = System.nanoTime();
            pauses.recordValue(now - before);
            calledNanos = now == 0 ? 1 : now;
            LockSupport.unpark(sleeper);
            while (calledNanos != 0) {
                if (System.nanoTime() - now > PATIENCE_NANOS) {
                    return;
                }
                Thread.yield(); // the one core that there may be is the sleeper's
            }
        }
    }

    /** Runs in the other thread; its histogram is read after it has ended. */
    private void sleep() {
        while (!isStopping) {
            LockSupport.park(this);
            long now = System.nanoTime();
            long called = calledNanos;
            if (called != 0) {
                wakes.recordValue(Math.max(0, now - called));
                calledNanos = 0;
            }
        }
    }

    private void stop() {
        isStopping = true;
        LockSupport.unpark(sleeper);
        try {
            sleeper.join(PATIENCE_NANOS / 1_000_000);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
