package dev.baton.measuring.machine;

import dev.baton.measuring.LongestHeap;
import dev.baton.measuring.attribution.SenderGap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The times in which one sending thread did not run, and the part of each in which it was ready to run and had no core: the evidence for
 * the causes of late sends.
 *
 * <p>A sender calls {@link #runsAt} in each of its turns, at the cost of a comparison. After a long enough pause it reads the kernel's
 * counters of its thread ({@code schedstat}): a thread that was not switched out in the meantime was busy, and there is no gap. The longest
 * gaps are kept. Confined to its thread; the gaps may be read when that has ended.
 */
public final class SenderGaps {
    /** Shorter pauses are not examined: the kernel's timer slack alone is longer. */
    static final long SHORTEST_NANOS = 20_000;

    private static final int MOST = 4_096;

    private final int thread;
    private final TaskCounters counters;
    private final LongestHeap longest = new LongestHeap(MOST);
    private boolean hasBegun;
    private long ranAt; // the newest moment at which the thread is known to have run
    private long readAt; // of the counters

    private SenderGaps(int thread, TaskCounters counters) {
        this.thread = thread;
        this.counters = counters;
    }

    /** Records that the thread runs now. @param nowNanos on the clock of {@link System#nanoTime} */
    public void runsAt(long nowNanos) {
        if (nowNanos - ranAt >= SHORTEST_NANOS && hasBegun) {
            look(nowNanos);
        }
        hasBegun = true;
        ranAt = nowNanos;
    }

    private void look(long nowNanos) {
        long slices = counters.slices();
        if (!counters.read()) {
            return;
        }
        long busyNanos = Math.max(0, ranAt - readAt);
        readAt = nowNanos;
        if (counters.slices() == slices) {
            return;
        }
        long ranInGap = Math.max(0, counters.ranNanos() - busyNanos);
        long nanos = nowNanos - ranAt - ranInGap;
        if (nanos >= SHORTEST_NANOS) {
            longest.offer(nowNanos - nanos, nanos, Math.min(nanos, Math.max(0, counters.waitedNanos())), 0);
        }
    }

    private void addTo(List<SenderGap> all) {
        longest.forEach((start, nanos, waited, none) -> all.add(new SenderGap(thread, start, start + nanos, waited)));
    }

    /** The gaps of all threads that send; of the first {@value #MOST_THREADS} of them. Thread-safe. */
    public static final class Pool {
        private static final int MOST_THREADS = 32;

        private final Map<Thread, SenderGaps> all = new ConcurrentHashMap<>();
        private final AtomicInteger threads = new AtomicInteger();
        private final int mostThreads;

        public Pool() {
            this(MOST_THREADS);
        }

        private Pool(int mostThreads) {
            this.mostThreads = mostThreads;
        }

        /** Returns a pool that keeps nothing, for a clock that is not the machine's. */
        public static Pool none() {
            return new Pool(0);
        }

        /** Returns the gaps of the calling thread; null beyond the limit, and where the kernel does not count. */
        public SenderGaps ofThisThread() {
            return all.computeIfAbsent(Thread.currentThread(), caller -> open());
        }

        private SenderGaps open() {
            if (threads.get() >= mostThreads) {
                return null;
            }
            TaskCounters counters = TaskCounters.of(KernelThread.number(), false);
            return counters == null ? null : new SenderGaps(threads.getAndIncrement(), counters);
        }

        /** Returns all gaps and closes the kernel's files. To be called when the threads have ended. */
        public List<SenderGap> take() {
            List<SenderGap> gaps = new ArrayList<>();
            all.values().forEach(each -> {
                each.addTo(gaps);
                each.counters.close();
            });
            all.clear();
            return gaps;
        }
    }
}
