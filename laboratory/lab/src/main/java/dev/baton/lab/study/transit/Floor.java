package dev.baton.lab.study.transit;

import dev.baton.lab.engines.ReferenceEngine;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Place;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.trial.ChainWorkload;
import dev.baton.lab.trial.FinalCounts;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.lab.trial.ends.Schedules;
import dev.baton.lab.trial.ends.Window;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.RecorderPool;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.machine.SenderGaps;
import dev.baton.measuring.rig.ChainRig;
import dev.baton.measuring.statistics.Percentiles;
import dev.baton.operations.settings.LoopPlan;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The lower bound of all transports: one increasing number passed from thread to thread at the trial's rate, on the same kind of schedule
 * and recorded by the same code. Without a transport there remain the reading of clocks, the schedule, the recording, and the transfer of
 * one cache line.
 *
 * <p>It idles as the trial does if that concerns one thread only: spinning, yielding, parking. If an engine has another way to idle and to
 * be woken, the floor spins. It has its own window and recorders, and it warms up again, as the JVM has so far compiled its code for other
 * callees. Confined to the trial's thread.
 */
final class Floor {
    private static final long MOST_WARM_UP_NANOS = 1_000_000_000;
    private static final long DRAIN_NANOS = 1_000_000_000;
    private static final long LEAD_NANOS = 10_000_000;
    private static final long CHECK_NANOS = 5_000_000;
    private static final Duration STOP_LIMIT = Duration.ofSeconds(2);

    private final TrialPlan plan;
    private final Place place;
    private final TransitStudy study;
    Latency latency; // null until measured
    List<String> doubts = List.of(); // why that is not to be trusted; empty when it is

    /**
     * Creates the floor of a trial.
     *
     * @param placed whose load and idle strategy it uses
     */
    Floor(PlacedTrial placed, TransitStudy study) {
        TrialPlan trial = placed.plan();
        place = placed.place();
        this.study = study;
        Phases phases = new Phases(
                Math.min(MOST_WARM_UP_NANOS, study.floorNanos()), Math.max(1_000_000, study.floorNanos()), DRAIN_NANOS);
        plan = new TrialPlan(
                trial.id(),
                trial.subject(),
                new Shape(0, 1, 0),
                trial.load(),
                new LoopPlan(LoopPlan.PER_SERVICE, idle(trial.loops().idle()), 0),
                phases,
                List.of(),
                study,
                null);
    }

    private static String idle(String words) {
        return words.equals(LoopPlan.DEFAULT_IDLE) || words.equals("backoff") ? "spin" : words;
    }

    /** Measures it. Blocks; has no result when it is ended early. */
    void measure(BooleanSupplier isOver) {
        Window window = Window.of(plan);
        Phases phases = plan.phases();
        long highestNanos = phases.measureNanos() + phases.drainNanos() + LEAD_NANOS;
        RecorderPool recorders = new RecorderPool(highestNanos);
        LatencyHistograms total = LatencyHistograms.upTo(highestNanos);
        ChainRig rig = ReferenceEngine.bare(plan, () -> Schedules.of(plan.load(), 0, window.startNanos()));
        Instruments instruments =
                new Instruments(new PlacedTrial(plan, place), window, recorders, SenderGaps.Pool.none(), highestNanos);
        try (ChainWorkload workload = new PinnedChains(instruments, rig, study.cpus())) {
            workload.prepare();
            workload.start(0);
            window.start(
                    System.nanoTime() + LEAD_NANOS, phases.warmupNanos(), phases.measureNanos(), phases.drainNanos());
            boolean isGivenUp = false;
            while (!isGivenUp && !workload.isDone() && System.nanoTime() - window.deadlineNanos() < 0) {
                LockSupport.parkNanos(CHECK_NANOS);
                isGivenUp = isOver.getAsBoolean() || workload.failure().isPresent();
            }
            window.close(System.nanoTime());
            workload.stop(STOP_LIMIT);
            if (!isGivenUp) {
                conclude(workload, recorders, total);
            }
        }
    }

    private void conclude(ChainWorkload workload, RecorderPool recorders, LatencyHistograms total) {
        recorders.takeInterval(total);
        FinalCounts finalCounts = workload.settle(total);
        Outcome outcome = workload.judge(null, null, finalCounts, total, null);
        doubts = outcome.reasons();
        latency = Percentiles.of(
                total.response(),
                total.clampedResponses(),
                total.highestNanos(),
                plan.phases().measureNanos(),
                plan.load().ratePerSecond());
    }
}
