package dev.baton.measuring.machine;

import dev.baton.measuring.NanoClock;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that sleeps, over and over, and notes how much longer it slept than it wanted to: what nobody on this machine
 * could have done anything about, because the host, the collector or the scheduler did not let them. After jHiccup
 * (Tene).
 *
 * <p>The one that looks at the whole machine sleeps for 2 ms in place of 1 ms, which took 1.7 % of a core on a busy
 * two-core virtual machine. One that is pinned to a core sees that core alone, and shares it with what spins there.
 *
 * <p>{@link #start} and {@link #close} are called by one thread; the log is thread-safe.
 */
public final class HiccupProbe implements AutoCloseable {
    public static final long SLEEP_NANOS = 2_000_000;

    /** How it counts when it is not pinned. */
    private static final int ANYWHERE = -1;

    private final NanoClock clock;
    private final long sleepNanos;
    private final int core;
    private final OversleepLog log;
    private final Thread thread;
    private volatile boolean isStopping;

    private HiccupProbe(NanoClock clock, long sleepNanos, int core, OversleepLog log) {
        this.clock = clock;
        this.sleepNanos = sleepNanos;
        this.core = core;
        this.log = log;
        thread = new Thread(this::run, core == ANYWHERE ? "baton-lab-probe" : "baton-lab-cpu" + core);
        thread.setDaemon(true);
    }

    /** Of the whole machine: on whichever core the scheduler likes. */
    public static HiccupProbe anywhere(NanoClock clock) {
        return new HiccupProbe(clock, SLEEP_NANOS, ANYWHERE, new OversleepLog(OversleepLog.SHORT_NANOS));
    }

    /**
     * Of one core, to which its thread pins itself.
     *
     * @param core as the kernel numbers it
     */
    static HiccupProbe on(int core, NanoClock clock, long sleepNanos, OversleepLog log) {
        return new HiccupProbe(clock, sleepNanos, core, log);
    }

    public void start() {
        thread.start();
    }

    Thread thread() {
        return thread;
    }

    public OversleepLog log() {
        return log;
    }

    /** As the kernel numbers it. */
    int core() {
        return core;
    }

    private void run() {
        if (core != ANYWHERE && !isPinned()) {
            return; // a log without an entry says so
        }
        while (!isStopping) {
            long before = clock.nanoTime();
            LockSupport.parkNanos(sleepNanos);
            long now = clock.nanoTime();
            log.slept(now, now - before - sleepNanos);
        }
    }

    private boolean isPinned() {
        try {
            Cores.pinThisThread(core);
            return true;
        } catch (RuntimeException | LinkageError refused) {
            return false;
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
