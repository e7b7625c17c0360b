package dev.baton.lab.study.advice;

import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.matrix.RoundOrder;
import dev.baton.lab.matrix.Spread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The time that all trials of a search share. It estimates the time of a trial beyond the measurement: at first like a matrix, with a
 * margin, then from trials over the same transport. Confined to one thread.
 */
final class TrialBudget {
    /** Added to the estimate of a matrix: a trial on a busy host takes longer. */
    private static final Duration SPARE = Duration.ofSeconds(2);

    private final Function<PlannedTrial, FinishedTrial> runner;
    private final BooleanSupplier isInterrupted;
    private final LongSupplier clock;
    private final long begunNanos;
    private final Duration budget;
    private final Map<String, List<Double>> overheads = new HashMap<>(); // nanoseconds, in order, by transport

    /**
     * Starts a budget.
     *
     * @param clock nanoseconds
     */
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

    /** Estimates the time of a trial, with its start and end, before one ran. */
    static Duration estimate(PlannedTrial trial) {
        return RoundOrder.estimate(trial).plus(SPARE);
    }

    /** Returns whether this one would end in time if it took as long as the last one over its transport. */
    boolean allows(PlannedTrial trial) {
        List<Double> seen = overheads.getOrDefault(trial.plan().subject().transport(), List.of());
        Duration needed = seen.isEmpty() ? estimate(trial) : measuredAnd(seen.get(seen.size() - 1), trial);
        return needed.compareTo(left()) <= 0;
    }

    /** {@return whether all of these would end in time, one after the other} */
    boolean allows(List<PlannedTrial> trials) {
        return needed(trials).compareTo(left()) <= 0;
    }

    /** Estimates the time of all of these, one after the other, from the median of others over their transports. */
    Duration needed(List<PlannedTrial> trials) {
        return trials.stream().map(this::usual).reduce(Duration.ZERO, Duration::plus);
    }

    private Duration usual(PlannedTrial trial) {
        Spread seen = Spread.of(overheads.getOrDefault(trial.plan().subject().transport(), List.of()));
        return seen == null ? estimate(trial) : measuredAnd(seen.median(), trial);
    }

    private static Duration measuredAnd(double overheadNanos, PlannedTrial trial) {
        return Duration.ofNanos(trial.plan().phases().sendingNanos() + Math.round(overheadNanos));
    }

    /** {@return the time since the budget began} */
    Duration spent() {
        return Duration.ofNanos(clock.getAsLong() - begunNanos);
    }

    /** Returns the rest of the budget; negative where trials took longer. */
    Duration left() {
        return budget.minus(spent());
    }

    boolean isInterrupted() {
        return isInterrupted.getAsBoolean();
    }

    FinishedTrial run(PlannedTrial trial) {
        long begun = clock.getAsLong();
        FinishedTrial finished = runner.apply(trial);
        if (finished.result() != null) {
            long overhead = clock.getAsLong() - begun - trial.plan().phases().sendingNanos();
            overheads
                    .computeIfAbsent(trial.plan().subject().transport(), name -> new ArrayList<>())
                    .add((double) Math.max(0, overhead));
        }
        return finished;
    }
}
