package dev.baton.lab.study.window;

import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.statistics.Percentiles;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * The measured steps in figures, with and without those that overlap a stall which the trial had no part in. A step
 * overlaps a stall when that lies between the step's end and the step's beginning or completion, whichever is asked for;
 * what is late because of a stall that is over is not set aside. Confined to one thread.
 *
 * @param host null when nothing was measured
 * @param measureNanos what the moments of stalls are counted from
 * @param highestNanos what lies beyond is recorded as this and counted
 */
record StepFigures(Steps steps, WindowStudy study, HostActivity host, long measureNanos, long highestNanos) {
    private static final int DIGITS = 3;

    /**
     * What became of the measured steps, by their numbers.
     *
     * @param endNanos of a step
     * @param begunNanos from its end until it began; charged when it never did
     * @param doneNanos from its end until it was complete; charged when it never was
     */
    record Steps(
            int first,
            int last,
            IntToLongFunction endNanos,
            IntToLongFunction begunNanos,
            IntToLongFunction doneNanos) {}

    WindowFindings findings(long stateBytes) {
        List<HostActivity.Stall> foreign = host == null
                ? List.of()
                : host.stalls().stream()
                        .filter(stall -> stall.cause().isForeign())
                        .toList();
        Series completion = new Series();
        Series responseWithout = new Series();
        Series completionWithout = new Series();
        for (int step = steps.first(); step <= steps.last(); step++) {
            completion.add(steps.doneNanos.applyAsLong(step));
            if (!isStalled(foreign, step, steps.doneNanos.applyAsLong(step))) {
                completionWithout.add(steps.doneNanos.applyAsLong(step));
            }
            if (!isStalled(foreign, step, steps.begunNanos.applyAsLong(step))) {
                responseWithout.add(steps.begunNanos.applyAsLong(step));
            }
        }
        return new WindowFindings(
                completion.figures(),
                Math.max(0, steps.last() - steps.first() + 1),
                foreign.size(),
                responseWithout.figures(),
                completionWithout.figures(),
                stateBytes);
    }

    private boolean isStalled(List<HostActivity.Stall> foreign, int step, long nanos) {
        long end = steps.endNanos.applyAsLong(step) - measureNanos;
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
            long windowNanos = (long) (histogram.getTotalCount() * 1e9 / study.stepsPerSecond());
            return Percentiles.of(histogram, clamped, highestNanos, windowNanos, study.stepsPerSecond());
        }
    }
}
