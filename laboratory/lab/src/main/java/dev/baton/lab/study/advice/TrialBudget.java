package dev.baton.lab.study.advice;

import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.matrix.Schedule;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The time that all trials of a search share. It knows how long a trial takes beyond what is measured: at first as matrices
 * estimate it, then as the last trial with as many brokers did. Confined to one thread.
 */
final class TrialBudget {
    private final Function<PlannedTrial, FinishedTrial> runner;
    private final BooleanSupplier isInterrupted;
    private final LongSupplier clock;
    private final long begunNanos;
    private final Duration budget;
    private final Map<Integer, Long> overheads = new HashMap<>();

    /** @param clock nanoseconds; the budget begins now */
    TrialBudget(
            Duration budget,
            Function<PlannedTrial, FinishedTrial> runner,
            BooleanSupplier isInterrupted,
            LongSupplier clock) {
        this.budget = budget;
        this.runner = runner;
        this.isInterrupted = isInterrupted;
        this.clock = clock;
        this.begunNanos = clock.getAsLong();
    }

    /** Whether all of these would end in time, one after the other. */
    boolean allows(List<PlannedTrial> trials) {
        double needed = trials.stream().mapToDouble(this::estimatedNanos).sum();
        return clock.getAsLong() - begunNanos + needed <= budget.toNanos();
    }

    private double estimatedNanos(PlannedTrial trial) {
        long sending = trial.plan().phases().sendingNanos();
        long usual = Schedule.estimate(trial).toNanos() - sending;
        return sending + overheads.getOrDefault(trial.brokers(), usual);
    }

    boolean isInterrupted() {
        return isInterrupted.getAsBoolean();
    }

    FinishedTrial run(PlannedTrial trial) {
        long begun = clock.getAsLong();
        FinishedTrial finished = runner.apply(trial);
        if (finished.result() != null) {
            long overhead = clock.getAsLong() - begun - trial.plan().phases().sendingNanos();
            overheads.put(trial.brokers(), Math.max(0, overhead));
        }
        return finished;
    }
}
