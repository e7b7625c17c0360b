package dev.baton.lab.study.window;

import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.statistics.Percentiles;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * The measured steps in figures, with and without those that overlap a stall with a cause outside of the trial. A step overlaps a stall
 * that lies between the step's end and the step's beginning or completion, as requested; a step that is late after the end of a stall is
 * not set aside. Confined to one thread.
 *
 * @param host null when it was not measured
 * @param measureNanos origin of the times of stalls
 * @param highestNanos greater values are recorded as this and counted
 */
record StepFigures(Steps steps, WindowStudy study, HostActivity host, long measureNanos, long highestNanos) {
    /**
     * The progress of the measured steps, by their numbers.
     *
     * @param begunNanos from its end until it began; charged when it never did
     * @param doneNanos from its end until it was complete; charged when it never was
     */
    record Steps(
            int first,
            int last,
            IntToLongFunction endNanos,
            IntToLongFunction begunNanos,
            IntToLongFunction doneNanos) {}

    WindowStudy.WindowFindings findings(long stateBytes) {
        List<HostActivity.Stall> foreign = host == null
                ? List.of()
                : host.stalls().stream()
                        .filter(stall -> stall.cause().isForeign())
                        .toList();
        LatencyHistograms completion = LatencyHistograms.upTo(highestNanos);
        LatencyHistograms responseWithout = LatencyHistograms.upTo(highestNanos);
        LatencyHistograms completionWithout = LatencyHistograms.upTo(highestNanos);
        for (int step = steps.first(); step <= steps.last(); step++) {
            long done = steps.doneNanos.applyAsLong(step);
            long begun = steps.begunNanos.applyAsLong(step);
            completion.recordResponse(done);
            if (!isStalled(foreign, step, done)) {
                completionWithout.recordResponse(done);
            }
            if (!isStalled(foreign, step, begun)) {
                responseWithout.recordResponse(begun);
            }
        }
        return new WindowStudy.WindowFindings(
                figures(completion),
                Math.max(0, steps.last() - steps.first() + 1),
                foreign.size(),
                figures(responseWithout),
                figures(completionWithout),
                stateBytes);
    }

    private boolean isStalled(List<HostActivity.Stall> foreign, int step, long nanos) {
        long end = steps.endNanos.applyAsLong(step) - measureNanos;
        return foreign.stream()
                .anyMatch(stall -> stall.atNanos() > end && stall.atNanos() - stall.nanos() < end + nanos);
    }

    private Latency figures(LatencyHistograms times) {
        Histogram steps = times.response();
        long windowNanos = (long) (steps.getTotalCount() * 1e9 / study.stepsPerSecond());
        return Percentiles.of(steps, times.clampedResponses(), highestNanos, windowNanos, study.stepsPerSecond());
    }
}
