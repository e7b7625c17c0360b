package dev.baton.measuring;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The recorders of all recording threads: one each, and one that all threads after the first {@link #MOST_EXCLUSIVE} share, so that a
 * thousand threads do not need a gigabyte.
 *
 * <p>Each thread has two: values of the warm-up go into a second one through the same code, selected by an index and not by a branch. A
 * branch that no message took during the warm-up is compiled when the measurement begins, and delayed 3,000 instances by 100 ms.
 *
 * <p>Thread-safe.
 */
public final class RecorderPool {
    /** Index of the measurement's recorder in the array of {@link #forThisThreadByPhase}. */
    public static final int MEASURED = 0;

    /** Index of the warm-up's recorder. */
    public static final int WARM_UP = 1;

    /** About 1.5 MB each. */
    static final int MOST_EXCLUSIVE = 32;

    /** Slow messages that each recorder keeps: 300 KB, and a p99.9 of eight million. */
    static final int MOST_SLOW = 8_192;

    /** Slow messages of a warm-up's recorder, which only runs the same code. */
    private static final int MOST_SLOW_IN_WARM_UP = 256;

    private final long highestNanos;
    private final int mostSlow;
    private final ConcurrentHashMap<Thread, LatencyRecorder> byThread = new ConcurrentHashMap<>();
    private final List<LatencyRecorder> all = new CopyOnWriteArrayList<>(); // the shared one last
    private final RecorderPool warmUps; // null: this is one

    public RecorderPool(long highestNanos) {
        this(highestNanos, MOST_SLOW, new RecorderPool(highestNanos, MOST_SLOW_IN_WARM_UP, null));
    }

    private RecorderPool(long highestNanos, int mostSlow, RecorderPool warmUps) {
        this.highestNanos = highestNanos;
        this.mostSlow = mostSlow;
        this.warmUps = warmUps;
    }

    /** {@link #WARM_UP} for slots before the measurement, otherwise {@link #MEASURED}. Without a branch. */
    public static int phase(long slotNanos, long measureNanos) {
        return (int) (slotNanos - measureNanos >>> Long.SIZE - 1);
    }

    /** The calling thread's two recorders, by phase; to be called once per thread. */
    public LatencyRecorder[] forThisThreadByPhase() {
        return new LatencyRecorder[] {forThisThread(), warmUps.forThisThread()};
    }

    /** The calling thread's recorder of the measurement; to be called once per thread. */
    public LatencyRecorder forThisThread() {
        return byThread.computeIfAbsent(Thread.currentThread(), thread -> make());
    }

    /** Adds the values of all threads since the last call. To be called by one thread at a time. */
    public void takeInterval(LatencyHistograms sum) {
        for (LatencyRecorder recorder : all) {
            sum.add(recorder.takeInterval());
        }
        for (LatencyRecorder recorder : warmUps.all) {
            sum.addWarmup(recorder.takeInterval());
        }
    }

    /**
     * Returns the measured messages that took longer than this, as far as they were kept. To be called when all recording threads have
     * ended.
     */
    public List<SlowMessage> slowerThan(long nanos) {
        List<SlowMessage> slower = new ArrayList<>();
        for (LatencyRecorder recorder : all) {
            recorder.slow().forEach(message -> {
                if (message.responseNanos() > nanos) {
                    slower.add(message);
                }
            });
        }
        return slower;
    }

    private synchronized LatencyRecorder make() {
        if (all.size() <= MOST_EXCLUSIVE) {
            all.add(new LatencyRecorder(highestNanos, mostSlow, all.size() == MOST_EXCLUSIVE));
        }
        return all.get(all.size() - 1);
    }
}
