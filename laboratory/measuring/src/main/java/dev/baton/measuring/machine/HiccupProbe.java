package dev.baton.measuring.machine;

import dev.baton.measuring.LongestHeap;
import dev.baton.measuring.Threads;
import dev.baton.measuring.machine.Evidence.Oversleep;
import dev.baton.measuring.machine.Evidence.Probed;
import dev.baton.measuring.machine.Evidence.Stop;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * A thread that sleeps repeatedly and records how much longer than requested it slept: delays that no thread of this machine could avoid,
 * as the host, the collector or the scheduler caused them. After jHiccup (Tene). It keeps the worst oversleep of each interval, and the
 * long ones individually.
 *
 * <p>The probe of the whole machine sleeps for 2 ms instead of 1 ms, which took 1.7 % of a core on a busy two-core virtual machine. A probe
 * that is pinned to a core observes only that core, and shares it with a thread that spins there.
 *
 * <p>It also reads the scheduling of its thread during the sleep, where the kernel counts that ({@code schedstat}). A thread that slept for
 * too long because it had no core waited on a run queue. One whose process was stopped did not: it was given a core to stop, and a second
 * time when the process was continued, and hardly waited between. One that the machine's host did not run was given a core once. (A wait
 * for a page of memory that has to be read from a disk looks like a stop.)
 *
 * <p>{@link #start} and {@link #close} are called by one thread; any thread may read the results.
 */
public final class HiccupProbe implements AutoCloseable {
    public static final long SLEEP_NANOS = 2_000_000;

    /** Shorter oversleeps are usual for the scheduler. */
    static final long NOTABLE_NANOS = 10_000_000;

    /** Shorter ones do not explain a slow message: the probe sleeps for longer than that. */
    private static final long SHORT_NANOS = 1_000_000;

    /** The longest ones are kept. */
    private static final int MOST_NOTABLE = 4_096;

    /** The core number of a probe that is not pinned. */
    private static final int ANYWHERE = -1;

    private final long sleepNanos;
    private final int core;
    private final long notableNanos;
    private final LongestHeap notable = new LongestHeap(MOST_NOTABLE); // guarded by this, like the next two
    private final Histogram all = new Histogram(2);
    private long worstOfInterval;
    private final Thread thread;
    private volatile long task = -1;
    private volatile boolean isStopping;

    /**
     * A long oversleep of the probe of the whole machine.
     *
     * @param waitedNanos ready to run, without a core; -1 where the kernel does not count it
     * @param wakes times that the thread was given a core in the sleep; -1 where the kernel does not count them
     */
    record Stall(long endNanos, long nanos, long waitedNanos, long wakes) {
        boolean isCounted() {
            return wakes >= 0;
        }

        /** Returns whether this process was stopped from outside. @param pausedNanos in which the JVM stopped its threads itself */
        boolean isOfStoppedProcess(long pausedNanos) {
            return wakes > 1 && nanos - waitedNanos - pausedNanos > nanos / 2;
        }
    }

    /**
     * Creates a probe of one core, to which its thread pins itself. It records nothing if it cannot be pinned.
     *
     * @param core as the kernel numbers it
     * @param notableNanos shortest oversleep that is kept individually
     */
    HiccupProbe(int core, long sleepNanos, long notableNanos) {
        this.sleepNanos = sleepNanos;
        this.core = core;
        this.notableNanos = notableNanos;
        thread = new Thread(this::run, core == ANYWHERE ? "baton-lab-probe" : "baton-lab-cpu" + core);
        thread.setDaemon(true);
    }

    /** {@return a probe of the whole machine, on any core} */
    public static HiccupProbe anywhere() {
        return new HiccupProbe(ANYWHERE, SLEEP_NANOS, SHORT_NANOS);
    }

    public void start() {
        thread.start();
    }

    Thread thread() {
        return thread;
    }

    private void run() {
        if (core != ANYWHERE && !isPinned()) {
            return;
        }
        task = KernelThread.number();
        try (TaskCounters counters = TaskCounters.of(task, false)) {
            while (!isStopping) {
                long slices = counters == null ? 0 : counters.slices();
                long before = System.nanoTime();
                LockSupport.parkNanos(sleepNanos);
                long now = System.nanoTime();
                boolean isCounted = counters != null && counters.read();
                slept(new Stall(
                        now,
                        now - before - sleepNanos,
                        isCounted ? counters.waitedNanos() : -1,
                        isCounted ? counters.slices() - slices : -1));
            }
        }
    }

    /** The kernel's number of its thread; -1 before it runs, and off Linux. */
    long task() {
        return task;
    }

    private boolean isPinned() {
        try {
            Cores.pinThisThread(core);
            return true;
        } catch (RuntimeException | LinkageError refused) {
            return false;
        }
    }

    synchronized void slept(Stall stall) {
        worstOfInterval = Math.max(worstOfInterval, stall.nanos());
        all.recordValue(Math.max(0, stall.nanos()));
        if (stall.nanos() >= notableNanos) {
            notable.offer(stall.endNanos(), stall.nanos(), stall.waitedNanos(), stall.wakes());
        }
    }

    /** Returns the worst oversleep since the last call, in nanoseconds. */
    synchronized long takeWorst() {
        long worst = worstOfInterval;
        worstOfInterval = 0;
        return worst;
    }

    /** The long oversleeps that ended within a window, in order. */
    synchronized List<Stall> stalls(long startNanos, long endNanos) {
        List<Stall> found = new ArrayList<>();
        notable.forEach((end, nanos, waited, wakes) -> {
            if (end - startNanos >= 0 && end - nanos - endNanos < 0) {
                found.add(new Stall(end, nanos, waited, wakes));
            }
        });
        found.sort(Comparator.comparingLong(each -> each.endNanos() - startNanos));
        return found;
    }

    /** Returns the oversleeps of the probe of one core. @param stops of the JVM; null when they are unknown */
    List<Oversleep> oversleeps(long startNanos, long endNanos, List<Stop> stops) {
        return stalls(startNanos, endNanos).stream()
                .map(stall -> new Oversleep(
                        core,
                        stall.endNanos(),
                        stall.nanos(),
                        stops != null
                                && stall.isOfStoppedProcess(Pauses.overlapNanos(
                                        stops, stall.endNanos() - stall.nanos(), stall.endNanos()))))
                .toList();
    }

    /** {@return the results of one core} */
    synchronized Probed probed() {
        return new Probed(
                core,
                sleepNanos,
                all.getTotalCount(),
                all.getValueAtPercentile(50),
                all.getValueAtPercentile(99),
                all.getMaxValue());
    }

    /** A copy of all oversleeps since the beginning, including short ones. */
    public synchronized Histogram histogram() {
        return all.copy();
    }

    @Override
    public void close() {
        isStopping = true;
        Threads.awaitEnd(thread, 1_000);
    }
}
