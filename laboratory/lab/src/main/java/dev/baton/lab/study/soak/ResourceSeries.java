package dev.baton.lab.study.soak;

import dev.baton.lab.results.ResourceUsage;
import dev.baton.lab.results.Second;
import dev.baton.lab.trial.ends.Window;
import dev.baton.measuring.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The resources of a process, counted at even intervals of a trial's measurement, on a separate thread that sleeps in between. Everything
 * else is called by the trial's thread, and the counts after {@link #close}.
 */
final class ResourceSeries implements AutoCloseable {
    private static final long SHORTEST_NANOS = 1_000_000_000L;
    private static final long NAP_NANOS = 50_000_000;
    private static final long CLOSE_MILLIS = 15_000;

    private final Window window;
    private final Supplier<ResourceUsage> probe;
    private final Runnable closing;
    private final long intervalNanos;
    private final NavigableMap<Long, ResourceUsage> points = new TreeMap<>(); // by nanoseconds of the measurement
    private final Thread thread = new Thread(this::run, "baton-lab-soak");
    private volatile boolean isClosed;
    private volatile Throwable failure; // null: none

    /** Begins with the measurement; {@link #close} ends it. @param closing releases the resources of the probe */
    ResourceSeries(Window window, long measureNanos, int count, Supplier<ResourceUsage> probe, Runnable closing) {
        this.window = window;
        this.probe = probe;
        this.closing = closing;
        intervalNanos = Math.max(SHORTEST_NANOS, measureNanos / count);
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            count();
        } catch (Throwable thrown) {
            failure = thrown; // what it has counted until now would pass for the whole
        }
    }

    private void count() {
        probe.get(); // its classes are loaded and its threads there before the first count
        while (!window.isStarted() && !isClosed) {
            LockSupport.parkNanos(NAP_NANOS);
        }
        for (long due = window.measureNanos() + intervalNanos / 2; !isClosed; due += intervalNanos) {
            for (long left = due - System.nanoTime(); left > 0 && !isClosed; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            if (isClosed || window.endNanos() - due <= 0) {
                return;
            }
            points.put(due - window.measureNanos(), probe.get());
        }
    }

    /** Ends the thread. Idempotent. */
    @Override
    public void close() {
        isClosed = true;
        Threads.awaitEnd(thread, CLOSE_MILLIS);
        closing.run();
    }

    /** {@return why it was not counted to the end; null when it was} */
    String failure() {
        return failure == null ? null : failure.toString();
    }

    int size() {
        return points.size();
    }

    /** Returns the seconds, each with the count in it. */
    List<Second> in(List<Second> seconds) {
        List<Second> all = new ArrayList<>();
        long start = Long.MIN_VALUE;
        for (Second second : seconds) {
            var held = points.subMap(start, true, second.endNanos(), false).lastEntry();
            all.add(held == null ? second : second.holding(held.getValue()));
            start = second.endNanos();
        }
        return all;
    }
}
