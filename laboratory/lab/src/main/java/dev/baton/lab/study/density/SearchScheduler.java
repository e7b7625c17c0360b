package dev.baton.lab.study.density;

import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.launch.PlannedTrial;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Runs the searches of all contenders, a trial at a time, in a seeded random order: none has the machine's quiet hour to
 * itself. No trial begins that is expected to end beyond the budget. Confined to one thread.
 *
 * @param runner runs a trial to its end
 * @param listener called with each trial as it ends
 * @param clock nanoseconds
 */
public record SearchScheduler(
        Function<PlannedTrial, FinishedTrial> runner,
        BiConsumer<Contender, Measured> listener,
        BooleanSupplier isInterrupted,
        LongSupplier clock) {
    private static final int LONGEST_SLUG = 80;

    /** Runs until every search has ended or was stopped; the contenders keep the results. */
    public void run(List<Contender> contenders, Duration budget, long seed) {
        long deadline = clock.getAsLong() + budget.toNanos();
        Random order = new Random(seed);
        int started = 0;
        while (true) {
            List<Contender> left =
                    contenders.stream().filter(each -> !each.isOver()).toList();
            if (left.isEmpty()) {
                return;
            }
            if (isInterrupted.getAsBoolean()) {
                left.forEach(each -> each.stop(Contender.Stop.INTERRUPTED, null));
                return;
            }
            Contender next = left.get(order.nextInt(left.size()));
            started += turn(next, started + 1, deadline) ? 1 : 0;
        }
    }

    /**
     * Runs the trial of a number.
     *
     * @return whether there was time for it
     */
    private boolean turn(Contender contender, int number, long deadline) {
        CapacitySearch.Step step = contender.step();
        PlannedTrial trial = contender.next(id(number, contender, step));
        long begun = clock.getAsLong();
        if (begun + contender.estimatedNanos(trial) > deadline) {
            contender.stop(Contender.Stop.BUDGET, null);
            return false;
        }
        FinishedTrial finished = runner.apply(trial);
        if (!finished.counts()) {
            boolean isRefused = finished.failure() != null;
            contender.stop(isRefused ? Contender.Stop.REFUSED : Contender.Stop.INTERRUPTED, finished.failure());
            return true;
        }
        Measured measured = new Measured(step, finished);
        contender.enter(measured, trial, clock.getAsLong() - begun);
        listener.accept(contender, measured);
        return true;
    }

    private static String id(int number, Contender contender, CapacitySearch.Step step) {
        Contender.Name name = contender.name();
        String words = name.transport() + "-" + name.engine() + "-" + name.threading()
                + (name.jvm().isEmpty() ? "" : "-" + name.jvm());
        String slug = words.replaceAll("[^A-Za-z0-9.-]+", "-");
        return String.format(
                Locale.ROOT,
                "%03d-%s-n%d",
                number,
                slug.substring(0, Math.min(LONGEST_SLUG, slug.length())),
                step.instances());
    }
}
