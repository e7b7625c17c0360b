package dev.baton.lab.trial;

import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Explanation;
import dev.baton.lab.results.IntervalLog;
import dev.baton.lab.results.Second;
import dev.baton.lab.trial.ends.Window;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.RecorderPool;
import dev.baton.measuring.SlowMessage;
import dev.baton.measuring.attribution.Senders;
import dev.baton.measuring.attribution.TailJoin;
import dev.baton.measuring.data.Disturbance;
import dev.baton.measuring.data.Stage;
import dev.baton.measuring.data.Tail;
import dev.baton.measuring.machine.MachineWatch;
import dev.baton.measuring.machine.SenderGaps;
import dev.baton.operations.line.CommandException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Collects what all threads record, interval by interval: into the sum of the whole trial, into the second in progress,
 * and from there into the time line and the interval log, an entry of the one and three lines of the other for each
 * second. Both count from the first measured slot. In the end it explains the slow messages. Confined to the trial's thread,
 * but for {@link #recorders}.
 */
final class Recording implements AutoCloseable {
    static final int MOST_LISTED = 1_000; // disturbances
    private static final long MARGIN_NANOS = 10_000_000_000L;
    private static final long MOST_HIGHEST_NANOS = 3_600_000_000_000L;

    private final RecorderPool recorders;
    private final SenderGaps.Pool gaps = new SenderGaps.Pool();
    private final LatencyHistograms interval;
    private final LatencyHistograms total;
    private final LatencyHistograms ofSecond;
    private final List<Second> seconds = new ArrayList<>();
    private IntervalLog log; // null until begun, like the counts
    private Workload counts;
    private long startNanos;
    private long lastNanos;
    private long lastSent;
    private long lastReceived;

    Recording(long highestNanos) {
        recorders = new RecorderPool(highestNanos);
        interval = LatencyHistograms.upTo(highestNanos);
        total = LatencyHistograms.upTo(highestNanos);
        ofSecond = LatencyHistograms.upTo(highestNanos);
    }

    /** A recording that clamps nothing which can come of this plan, up to an hour. */
    static Recording of(TrialPlan plan) {
        long longest = plan.phases().measureNanos() + plan.phases().drainNanos();
        return new Recording(Math.min(MOST_HIGHEST_NANOS, longest + MARGIN_NANOS));
    }

    RecorderPool recorders() {
        return recorders;
    }

    SenderGaps.Pool gaps() {
        return gaps;
    }

    long highestNanos() {
        return total.highestNanos();
    }

    /** Prepares the time line and the log for a window whose moments are set. */
    void begin(Window window, Workload messages, Path logFile, String title) {
        startNanos = window.measureNanos();
        counts = messages;
        long millis = System.currentTimeMillis() + (window.measureNanos() - System.nanoTime()) / 1_000_000;
        try {
            log = IntervalLog.create(logFile, title, millis);
        } catch (IOException unwritable) {
            throw CommandException.environment(
                    "cannot write the interval log: " + CommandException.reason(unwritable), unwritable);
        }
    }

    /** The measured window begins: what was counted so far belongs to the warm-up. */
    void beginWindow() {
        lastSent = counts.sentCount();
        lastReceived = counts.receivedCount();
    }

    /** Takes what was recorded since the last call; valid until the next one. */
    LatencyHistograms take() {
        interval.reset();
        recorders.takeInterval(interval);
        enter();
        return interval;
    }

    private void enter() {
        total.add(interval);
        if (log != null) {
            ofSecond.add(interval);
        }
    }

    void endSecond(MachineWatch.Sample sample) {
        long end = sample.endNanos() - startNanos;
        long sent = counts.sentCount();
        long received = counts.receivedCount();
        Histogram responses = ofSecond.response();
        boolean isEmpty = responses.getTotalCount() == 0;
        seconds.add(new Second(
                end,
                sent - lastSent,
                received - lastReceived,
                isEmpty ? null : responses.getValueAtPercentile(50),
                isEmpty ? null : responses.getValueAtPercentile(99),
                isEmpty ? null : responses.getMaxValue(),
                sample.jvmCpuCores(),
                sample.brokerCpuCores(),
                sample.stealShare(),
                sample.busyShare(),
                sample.residentBytes(),
                sample.worstStallNanos(),
                null));
        lastSent = sent;
        lastReceived = received;
        writeLog(end);
    }

    private void writeLog(long endNanos) {
        if (endNanos > lastNanos) {
            log.add(null, lastNanos, endNanos, ofSecond.response());
            log.add(IntervalLog.SERVICE, lastNanos, endNanos, ofSecond.service());
            log.add(IntervalLog.SEND_DELAY, lastNanos, endNanos, ofSecond.sendDelay());
            lastNanos = endNanos;
            ofSecond.reset();
        }
    }

    /** Takes the rest, and charges what never arrived. After all recording threads have ended. */
    FinalCounts finish(Workload workload) {
        interval.reset();
        recorders.takeInterval(interval);
        FinalCounts finalCounts = workload.settle(interval);
        enter();
        if (log != null) {
            writeLog(System.nanoTime() - startNanos); // the drain, and what was charged at its end
        }
        return finalCounts;
    }

    /** Everything; complete after {@link #finish}. */
    LatencyHistograms total() {
        return total;
    }

    /**
     * Explains the slow messages in it; after {@link #finish}, once.
     *
     * @param disturbances in the order of their beginnings
     * @param budgetNanos latency budget of the loops that send; 0 for none
     */
    Explanation explain(double percentile, List<Disturbance> disturbances, List<Stage> stages, long budgetNanos) {
        return new Explanation(
                Explanation.longest(disturbances, MOST_LISTED),
                Math.max(0, disturbances.size() - MOST_LISTED),
                tail(percentile, disturbances, budgetNanos),
                stages);
    }

    private Tail tail(double percentile, List<Disturbance> disturbances, long budgetNanos) {
        Senders senders = new Senders(gaps.take(), budgetNanos);
        Histogram responses = total.response();
        if (responses.getTotalCount() == 0) {
            return null;
        }
        long threshold = responses.getValueAtPercentile(percentile);
        long next = responses.nextNonEquivalentValue(threshold);
        long messages =
                next > responses.getMaxValue() ? 0 : responses.getCountBetweenValues(next, responses.getMaxValue());
        List<SlowMessage> kept = recorders.slowerThan(threshold);
        return TailJoin.of(percentile, threshold, messages, kept, startNanos, disturbances, senders);
    }

    List<Second> seconds() {
        return seconds;
    }

    /** Gives the log its name. @return whether there is one */
    boolean publish() throws IOException {
        if (log != null) {
            log.publish();
        }
        return log != null;
    }

    @Override
    public void close() {
        gaps.take();
        if (log != null) {
            try {
                log.close();
            } catch (IOException left) {
                System.getLogger("dev.baton.lab").log(System.Logger.Level.WARNING, "interval log", left);
            }
        }
    }
}
