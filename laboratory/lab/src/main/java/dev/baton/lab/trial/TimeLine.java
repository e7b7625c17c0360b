package dev.baton.lab.trial;

import dev.baton.lab.results.IntervalLog;
import dev.baton.lab.results.Second;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.machine.MachineWatch;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Cuts the measurement into seconds: an entry each for the time line, three lines each for the interval log. Counts from
 * the first measured slot. Confined to the trial's thread.
 */
final class TimeLine {
    private final long startNanos;
    private final MessageCounts counts;
    private final LatencyHistograms ofSecond;
    private final List<Second> seconds = new ArrayList<>();
    private long lastNanos;
    private long lastSent;
    private long lastReceived;

    TimeLine(long startNanos, MessageCounts counts, long highestNanos) {
        this.startNanos = startNanos;
        this.counts = counts;
        this.ofSecond = LatencyHistograms.upTo(highestNanos);
    }

    /** The first second begins: what was counted so far belongs to the warm-up. */
    void begin() {
        lastSent = counts.sentCount();
        lastReceived = counts.receivedCount();
    }

    /** Part of the second in progress. */
    void add(LatencyHistograms interval) {
        ofSecond.add(interval);
    }

    /** Ends the second in progress. */
    void endSecond(MachineWatch.Sample sample, IntervalLog log) {
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
        writeTo(log, end);
    }

    /** Writes what came in after the last second: the drain, and what was charged at its end. */
    void endRest(long nowNanos, IntervalLog log) {
        writeTo(log, nowNanos - startNanos);
    }

    private void writeTo(IntervalLog log, long endNanos) {
        if (endNanos > lastNanos) {
            log.add(null, lastNanos, endNanos, ofSecond.response());
            log.add(IntervalLog.SERVICE, lastNanos, endNanos, ofSecond.service());
            log.add(IntervalLog.SEND_DELAY, lastNanos, endNanos, ofSecond.sendDelay());
            lastNanos = endNanos;
            ofSecond.reset();
        }
    }

    List<Second> seconds() {
        return seconds;
    }
}
