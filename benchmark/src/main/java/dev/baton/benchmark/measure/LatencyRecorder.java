package dev.baton.benchmark.measure;

import org.HdrHistogram.WriterReaderPhaser;

/**
 * Takes the latencies that one thread sees, while another thread takes them away in intervals.
 *
 * <p>It works as HdrHistogram's {@code SingleWriterRecorder} does, whose two atomic additions per value are most of its
 * cost: here one passage through the phaser covers all values of a message. The writer records into the active
 * histograms; the reader exchanges active and inactive, and waits until a writer still in its passage has left it.
 * Records never block and allocate nothing. Response, service, slip, the instance's own histogram and the account take
 * 25 ns of one message together, 36 ns with 3,000 instances in turn ({@code RecordingBenchmark}, EPYC, JDK 17), where
 * three {@code SingleWriterRecorder}s took 34 ns for their three values alone. The whole receiving end with the slip takes
 * 29 ns, 40 ns with 1,000 instances in turn, 46 ns in a backlog in which each message is slower than all before it ({@code
 * ReceivePath}, the same machine, busy).
 *
 * <p>Record methods: the thread it was made for, or any for a shared one. {@link #takeInterval}: one thread.
 */
public final class LatencyRecorder {
    private final WriterReaderPhaser phaser = new WriterReaderPhaser();
    private final SlowMessages slow;
    private volatile LatencyHistograms active;
    private LatencyHistograms inactive;

    private LatencyRecorder(LatencyHistograms active, LatencyHistograms inactive, SlowMessages slow) {
        this.active = active;
        this.inactive = inactive;
        this.slow = slow;
    }

    /** @param mostSlow messages to keep, 1 or more */
    static LatencyRecorder forOneThread(long highestNanos, int mostSlow) {
        return new LatencyRecorder(
                LatencyHistograms.upTo(highestNanos),
                LatencyHistograms.upTo(highestNanos),
                new SlowMessages(mostSlow, false));
    }

    static LatencyRecorder shared(long highestNanos, int mostSlow) {
        return new LatencyRecorder(
                LatencyHistograms.sharedUpTo(highestNanos),
                LatencyHistograms.sharedUpTo(highestNanos),
                new SlowMessages(mostSlow, true));
    }

    /**
     * Enters a measured message that arrived, and keeps its moments if it is among the slowest.
     *
     * @param slotNanos when it was due
     * @param slipNanos how long after that it was sent
     * @param responseNanos how long after its slot it arrived
     * @param previousNanos when the message before it on the same way had arrived
     */
    public void recordMessage(long slotNanos, long slipNanos, long responseNanos, long previousNanos) {
        recordArrival(responseNanos, responseNanos - slipNanos);
        if (responseNanos > slow.barNanos()) {
            slow.keep(slotNanos, slipNanos, responseNanos, previousNanos);
        }
    }

    /** Enters a measured message that arrived. */
    public void recordArrival(long responseNanos, long serviceNanos) {
        long passage = phaser.writerCriticalSectionEnter();
        try {
            active.recordArrival(responseNanos, serviceNanos);
        } finally {
            phaser.writerCriticalSectionExit(passage);
        }
    }

    /** Enters how late a measured message was sent. */
    public void recordSlip(long nanos) {
        long passage = phaser.writerCriticalSectionEnter();
        try {
            active.recordSlip(nanos);
        } finally {
            phaser.writerCriticalSectionExit(passage);
        }
    }

    /** The slowest messages; when the recording threads have ended. */
    SlowMessages slow() {
        return slow;
    }

    /** What was recorded since the last call, for the caller to read until its next call. */
    LatencyHistograms takeInterval() {
        phaser.readerLock();
        try {
            inactive.reset();
            LatencyHistograms taken = active;
            active = inactive;
            inactive = taken;
            phaser.flipPhase(100_000);
            return taken;
        } finally {
            phaser.readerUnlock();
        }
    }
}
