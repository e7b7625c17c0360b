package dev.baton.lab.trial.ends;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.TrialPlan;
import dev.baton.measuring.NanoClock;
import dev.baton.measuring.RecorderPool;
import dev.baton.measuring.ReplaySchedule;
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

    /**
     * The instruments of both ends of an instance, with any clock.
     *
     * @param times of recorded traffic; null where none is replayed
     */
    public record Meters(
            Window window,
            NanoClock clock,
            RecorderPool recorders,
            SenderGaps.Pool gaps,
            long highestNanos,
            long[] times) {
        /** Creates instruments without recorded traffic. */
        public Meters(Window window, NanoClock clock, RecorderPool recorders, SenderGaps.Pool gaps, long highestNanos) {
            this(window, clock, recorders, gaps, highestNanos, null);
        }
    }

    /** {@return the instruments of the ends of instances, with this machine's clock} Reads recorded traffic. */
    public Meters meters() {
        Load.Replay replay = plan().load().replay();
        long[] times = replay == null
                ? null
                : ReplaySchedule.times(replay.file().read(true).gapsNanos(), replay.speed());
        return new Meters(window, NanoClock.SYSTEM, recorders, gaps, highestNanos, times);
    }
}
