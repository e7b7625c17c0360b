package dev.baton.lab.trial;

import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.TrialPlan;
import dev.baton.measuring.NanoClock;
import dev.baton.measuring.RecorderPool;
import dev.baton.measuring.machine.SenderGaps;

/**
 * What a workload measures with. Thread-safe.
 *
 * @param trial what is measured, and where
 * @param window the moments of the trial, set when the warm-up begins: senders ask it whether it has started
 * @param recorders where latencies go: each recording thread asks for its own
 * @param gaps of the threads that send: each asks for its own
 * @param highestNanos that they can record; what is beyond is clamped and counted
 */
public record Instruments(
        PlacedTrial trial, Window window, RecorderPool recorders, SenderGaps.Pool gaps, long highestNanos) {
    public TrialPlan plan() {
        return trial.plan();
    }

    /** What both ends of an instance measure with, by whatever clock. */
    record Meters(Window window, NanoClock clock, RecorderPool recorders, SenderGaps.Pool gaps, long highestNanos) {}

    /** The same for the ends of instances, on this machine's clock. */
    Meters meters() {
        return new Meters(window, NanoClock.SYSTEM, recorders, gaps, highestNanos);
    }
}
