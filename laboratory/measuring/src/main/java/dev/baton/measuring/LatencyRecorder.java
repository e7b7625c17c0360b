package dev.baton.measuring;

/**
 * Records latencies of one thread, while another thread reads them in intervals.
 *
 * <p>It works as HdrHistogram's {@code SingleWriterRecorder} does, whose two atomic additions per value are most of its cost: here one
 * {@link Passage} covers all values of a message, and takes one atomic addition where there is one writer. The writer records into the
 * active histograms; the reader exchanges active and inactive, and waits until a writer still in its passage has left it. Records never
 * block and allocate nothing. The whole receiving end takes 19 ns of one message, 23 ns with the send delay of its sender; 38 ns in a
 * backlog in which each message is slower than all before it, 32 ns with 1,000 instances in turn, whose own histograms are cold ({@code
 * ReceivePath}, EPYC, JDK 17), where three {@code SingleWriterRecorder}s took 34 ns for their three values alone.
 *
 * <p>Record methods are called by the thread of this recorder, or by any for a shared one. {@link #takeInterval} belongs to one thread.
 */
public final class LatencyRecorder {
    private final Passage passage;
    private final SlowMessages slow;
    private volatile LatencyHistograms active;
    private LatencyHistograms inactive;

    /**
     * Creates a recorder.
     *
     * @param mostSlow messages to keep, 1 or more
     * @param isShared for any thread, not for one alone
     */
    LatencyRecorder(long highestNanos, int mostSlow, boolean isShared) {
        passage = isShared ? new Passage.OfMany() : new Passage.OfOne();
        active = new LatencyHistograms(highestNanos, isShared);
        inactive = new LatencyHistograms(highestNanos, isShared);
        slow = new SlowMessages(mostSlow, isShared);
    }

    /**
     * Records a measured message that arrived, and keeps its times if it is among the slowest.
     *
     * @param slotNanos when it was due
     * @param sendDelayNanos how long after that it was sent
     * @param responseNanos how long after its slot it arrived
     * @param previousNanos arrival of the message before it on the same path
     */
    public void recordMessage(long slotNanos, long sendDelayNanos, long responseNanos, long previousNanos) {
        recordArrival(responseNanos, responseNanos - sendDelayNanos);
        if (responseNanos > slow.barNanos()) {
            slow.keep(slotNanos, sendDelayNanos, responseNanos, previousNanos);
        }
    }

    /** Records a measured message that arrived. */
    public void recordArrival(long responseNanos, long serviceNanos) {
        long token = passage.enter();
        try {
            active.recordArrival(responseNanos, serviceNanos);
        } finally {
            passage.exit(token);
        }
    }

    /** Records how late a measured message was sent. */
    public void recordSendDelay(long nanos) {
        long token = passage.enter();
        try {
            active.recordSendDelay(nanos);
        } finally {
            passage.exit(token);
        }
    }

    /** {@return the slowest messages} To be called when the recording threads have ended. */
    SlowMessages slow() {
        return slow;
    }

    /** Returns the values since the last call; the caller may read them until its next call. */
    LatencyHistograms takeInterval() {
        inactive.reset();
        LatencyHistograms taken = active;
        active = inactive;
        inactive = taken;
        passage.awaitThoseInside();
        return taken;
    }
}
