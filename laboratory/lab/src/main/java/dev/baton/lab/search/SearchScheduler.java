package dev.baton.lab.search;

import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.launch.PlannedTrial;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Runs several searches, a trial at a time, in a seeded random order, so that a disturbance of the machine affects all of
 * them. No trial begins that is expected to end after the budget. Confined to one thread.
 *
 * @param runner runs a trial to its end
 * @param listener called with a search whose last trial decided something
 * @param clock nanoseconds
 */
public record SearchScheduler<S extends Search>(
        Function<PlannedTrial, FinishedTrial> runner,
        Consumer<S> listener,
        BooleanSupplier isInterrupted,
        LongSupplier clock) {

    /**
     * Runs until every search has ended or was stopped; the searches keep the results.
     *
     * @param budget time for all trials; null for no limit
     */
    public void run(List<S> searches, Duration budget, long seed) {
        double deadline = budget == null ? Double.MAX_VALUE : (double) clock.getAsLong() + budget.toNanos();
        Random order = new Random(seed);
        int started = 0;
        while (true) {
            List<S> left = searches.stream().filter(each -> !each.isOver()).toList();
            if (left.isEmpty()) {
                return;
            }
            if (isInterrupted.getAsBoolean()) {
                left.forEach(each -> each.stop(Search.Stop.INTERRUPTED, null));
                return;
            }
            S next = left.get(order.nextInt(left.size()));
            PlannedTrial trial = next.next(started + 1);
            if (clock.getAsLong() + next.estimatedNanos(trial) > deadline) {
                next.stop(Search.Stop.BUDGET, null);
            } else {
                started++;
                run(next, trial);
            }
        }
    }

    private void run(S search, PlannedTrial trial) {
        long begun = clock.getAsLong();
        FinishedTrial finished = runner.apply(trial);
        if (!finished.counts()) {
            boolean isRefused = finished.failure() != null;
            search.stop(isRefused ? Search.Stop.REFUSED : Search.Stop.INTERRUPTED, finished.failure());
        } else if (search.enter(trial, finished, clock.getAsLong() - begun)) {
            listener.accept(search);
        }
    }
}
