package dev.baton.benchmark.measure;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The recorders of all threads that record: one each, and one shared by those that come after the first {@link
 * #MOST_EXCLUSIVE}, so that a thousand threads do not take a gigabyte. Thread-safe.
 */
public final class RecorderPool {
    /** About 1.5 MB each. */
    static final int MOST_EXCLUSIVE = 32;

    private final long highestNanos;
    private final ConcurrentHashMap<Thread, LatencyRecorder> byThread = new ConcurrentHashMap<>();
    private final List<LatencyRecorder> all = new CopyOnWriteArrayList<>();
    private LatencyRecorder shared;

    public RecorderPool(long highestNanos) {
        this.highestNanos = highestNanos;
    }

    /** The calling thread's recorder; ask once and keep it. */
    public LatencyRecorder forThisThread() {
        return byThread.computeIfAbsent(Thread.currentThread(), thread -> make());
    }

    /** Adds what all threads recorded since the last call. One thread at a time. */
    public void takeInterval(LatencyHistograms sum) {
        for (LatencyRecorder recorder : all) {
            sum.add(recorder.takeInterval());
        }
    }

    private synchronized LatencyRecorder make() {
        if (all.size() < MOST_EXCLUSIVE) {
            LatencyRecorder recorder = LatencyRecorder.forOneThread(highestNanos);
            all.add(recorder);
            return recorder;
        }
        if (shared == null) {
            shared = LatencyRecorder.shared(highestNanos);
            all.add(shared);
        }
        return shared;
    }
}
