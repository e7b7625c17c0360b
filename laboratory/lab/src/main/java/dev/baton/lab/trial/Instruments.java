package dev.baton.lab.trial;

import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.TrialPlan;
import dev.baton.measuring.NanoClock;
import dev.baton.measuring.RecorderPool;
import dev.baton.measuring.machine.SenderGaps;

/**
 * The instruments of a workload. Thread-safe.
 *
 * @param trial the plan and its place
 * @param window the times of the trial, set when the warm-up begins: senders poll whether it has started
 * @param recorders of latencies: each recording thread has its own
 * @param gaps of the threads that send: each has its own
 * @param highestNanos greatest recorded value; greater ones are clamped and counted
 */
public record Instruments(
        PlacedTrial trial, Window window, RecorderPool recorders, SenderGaps.Pool gaps, long highestNanos) {
    public TrialPlan plan() {
        return trial.plan();
    }

    /** The instruments of both ends of an instance, with any clock. */
    record Meters(Window window, NanoClock clock, RecorderPool recorders, SenderGaps.Pool gaps, long highestNanos) {}

    /** {@return the instruments of the ends of instances, with this machine's clock} */
    Meters meters() {
        return new Meters(window, NanoClock.SYSTEM, recorders, gaps, highestNanos);
    }
}
