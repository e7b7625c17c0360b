package dev.baton.lab.study.load;

import dev.baton.lab.request.Phases;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.lab.results.Rate;
import dev.baton.lab.study.load.LoadFindings.Interval;
import dev.baton.lab.trial.FinalCounts;
import dev.baton.lab.trial.Workload;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.lab.trial.ends.Window;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.Threads;
import dev.baton.measuring.machine.ProcessUse;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * The additional results of a closed loop: the warm-up of the JVM, and the resources of its process. It counts the answers of each interval
 * from the JVM's start, and reads the use of the process at both ends of the measurement, on a separate thread that sleeps in between.
 * Everything else is called by the trial's thread, and the figures after {@link #close}.
 */
final class ClosedLoop implements AutoCloseable {
    private static final long SHORTEST_NANOS = 100_000_000;

    /** The greatest number of intervals, which limits the size of the file. */
    private static final int MOST_INTERVALS = 2_000;

    private static final long MILLI = 1_000_000;
    private static final long CLOSE_MILLIS = 2_000;

    private final Workload counts;
    private final Window window;
    private final long intervalNanos;
    private final long jvmStartNanos;
    private final List<Interval> series = new ArrayList<>();
    private final Thread thread = new Thread(this::run, "baton-lab-series");
    private ProcessUse first; // null: the measurement did not begin
    private ProcessUse last;
    private ProcessUse whole; // until the end; null before
    private Histogram services; // null until judged
    private volatile boolean isClosed;

    /** Starts counting; {@link #close} ends it. */
    ClosedLoop(Instruments instruments, Workload counts) {
        this.counts = counts;
        window = instruments.window();
        intervalNanos = intervalNanos(instruments.plan().phases());
        // The JVM tells its age in milliseconds, on a clock that nobody sets.
        jvmStartNanos = System.nanoTime() - ManagementFactory.getRuntimeMXBean().getUptime() * MILLI;
        thread.setDaemon(true);
        thread.start();
    }

    static long intervalNanos(Phases phases) {
        long needed = phases.sendingNanos() / MOST_INTERVALS;
        return Math.max(SHORTEST_NANOS, needed / SHORTEST_NANOS * SHORTEST_NANOS);
    }

    private void run() {
        long answered = 0;
        long next = System.nanoTime() + intervalNanos;
        while (true) {
            boolean isLast = isClosed;
            long left = next - System.nanoTime();
            if (left > 0 && !isLast) {
                LockSupport.parkNanos(left);
                continue;
            }
            long now = System.nanoTime();
            long count = counts.receivedCount();
            boolean isOver = window.isStarted() && now - window.endNanos() >= 0;
            if (!isOver) {
                series.add(new Interval(now - jvmStartNanos, count - answered));
                answered = count;
            }
            takeUse(now, isOver);
            if (isOver || isLast) {
                return;
            }
            next += Math.max(1, (now - next) / intervalNanos + 1) * intervalNanos;
        }
    }

    private void takeUse(long now, boolean isOver) {
        if (first == null && window.isStarted() && now - window.measureNanos() >= 0) {
            first = ProcessUse.now();
        }
        if (isOver) {
            last = ProcessUse.now();
        }
    }

    /** Ends the thread. Idempotent. */
    @Override
    public void close() {
        isClosed = true;
        Threads.awaitEnd(thread, CLOSE_MILLIS);
        if (whole == null) {
            whole = ProcessUse.now();
        }
    }

    /** Returns the counts with the rate of the window's answers: a closed loop has no other rate. */
    FinalCounts rated(FinalCounts settled) {
        long answered = settled.worstInstances().stream()
                .mapToLong(InstanceFigures::count)
                .sum();
        answered = Math.max(
                0, answered - settled.delivery().lost() - settled.delivery().undrained());
        double seconds = window.measuredNanos() / 1e9;
        double rate = seconds == 0 ? 0 : answered / seconds;
        return new FinalCounts(settled.delivery(), new Rate(rate, rate, 1, 1, 1), settled.worstInstances());
    }

    /** Takes what latencies are judged. */
    void judged(LatencyHistograms total) {
        services = total.response();
    }

    /**
     * Returns the findings after the verdict.
     *
     * @param firstNanos time of the first answer, on the trial's clock; 0 for none
     * @param clients description of the clients: one line
     */
    LoadFindings findings(long firstNanos, String clients) {
        return new LoadFindings(
                Distribution.shares(services, window.measuredNanos()),
                Distribution.bars(services),
                whole.peakResidentBytes(),
                whole.majorFaults(),
                measuredMajorFaults(),
                gcCpuShare(),
                firstNanos == 0 ? null : Long.valueOf(firstNanos - jvmStartNanos),
                SteadyState.nanos(series),
                SteadyState.rule(intervalNanos),
                series,
                clients);
    }

    /** Pages read from a disk within the measurement, to an interval. */
    private Long measuredMajorFaults() {
        return isMeasured() && first.majorFaults() != null && last.majorFaults() != null
                ? Long.valueOf(last.majorFaults() - first.majorFaults())
                : null;
    }

    /** CPU of the collector's threads over that of the process within the measurement, to an interval. */
    private Double gcCpuShare() {
        if (!isMeasured() || first.gcCpuNanos() == null || last.gcCpuNanos() == null || last.cpuNanos() == null) {
            return null;
        }
        long all = last.cpuNanos() - first.cpuNanos();
        return all <= 0 ? null : Double.valueOf(Math.max(0, last.gcCpuNanos() - first.gcCpuNanos()) / (double) all);
    }

    private boolean isMeasured() {
        return first != null && last != null;
    }
}
