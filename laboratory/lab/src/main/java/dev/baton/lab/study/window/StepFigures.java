package dev.baton.lab.study.window;

import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.statistics.Percentiles;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The measured steps in figures, with and without those that overlap a stall which the trial had no part in. A step
 * overlaps a stall when that lies between the step's end and the step's beginning or completion, whichever is asked for;
 * what is late because of a stall that is over is not set aside. Confined to one thread.
 */
final class StepFigures {
    private static final int DIGITS = 3;

    private final StepLog log;
    private final List<HostActivity.Stall> foreign;
    private final long highestNanos;
    private final long measureNanos;
    private final double stepsPerSecond;

    /** What became of the measured steps. */
    interface StepLog {
        int first();

        int last();

        long endNanos(int step);

        /** From its end until it began; charged when it never did. */
        long begunNanos(int step);

        /** From its end until it was complete; charged when it never was. */
        long doneNanos(int step);
    }

    /**
     * Of the steps of a log.
     *
     * @param host null when nothing was measured
     * @param measureNanos what the moments of stalls are counted from
     * @param highestNanos what lies beyond is recorded as this and counted
     */
    StepFigures(StepLog log, WindowStudy study, HostActivity host, long measureNanos, long highestNanos) {
        this.log = log;
        this.measureNanos = measureNanos;
        this.highestNanos = highestNanos;
        stepsPerSecond = study.stepsPerSecond();
        foreign = host == null
                ? List.of()
                : host.stalls().stream()
                        .filter(stall -> stall.cause().isForeign())
                        .toList();
    }

    WindowFindings findings(long stateBytes) {
        Series completion = new Series();
        Series responseWithout = new Series();
        Series completionWithout = new Series();
        for (int step = log.first(); step <= log.last(); step++) {
            completion.add(log.doneNanos(step));
            if (!isStalled(step, log.doneNanos(step))) {
                completionWithout.add(log.doneNanos(step));
            }
            if (!isStalled(step, log.begunNanos(step))) {
                responseWithout.add(log.begunNanos(step));
            }
        }
        return new WindowFindings(
                completion.figures(),
                Math.max(0, log.last() - log.first() + 1),
                foreign.size(),
                responseWithout.figures(),
                completionWithout.figures(),
                stateBytes);
    }

    private boolean isStalled(int step, long nanos) {
        long end = log.endNanos(step) - measureNanos;
        for (HostActivity.Stall stall : foreign) {
            if (stall.atNanos() > end && stall.atNanos() - stall.nanos() < end + nanos) {
                return true;
            }
        }
        return false;
    }

    /** Times of steps. */
    private final class Series {
        private final Histogram histogram = new Histogram(highestNanos, DIGITS);
        private long clamped;

        void add(long nanos) {
            if (nanos > highestNanos) {
                clamped++;
            }
            histogram.recordValue(Math.min(highestNanos, Math.max(0, nanos)));
        }

        Latency figures() {
            long windowNanos = (long) (histogram.getTotalCount() * 1e9 / stepsPerSecond);
            return Percentiles.of(histogram, clamped, highestNanos, windowNanos, stepsPerSecond);
        }
    }
}
