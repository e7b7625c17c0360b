package dev.baton.lab.study.density;

import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.line.CommandException;
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
 */
public final class SearchScheduler {
    private static final int LONGEST_SLUG = 80;

    private final Function<PlannedTrial, FinishedTrial> runner;
    private final BiConsumer<Contender, Measured> listener;
    private final BooleanSupplier isInterrupted;
    private final LongSupplier clock;
    private int started;

    /**
     * Prepares.
     *
     * @param runner runs a trial to its end
     * @param listener hears of each trial as it ends
     * @param clock nanoseconds
     */
    public SearchScheduler(
            Function<PlannedTrial, FinishedTrial> runner,
            BiConsumer<Contender, Measured> listener,
            BooleanSupplier isInterrupted,
            LongSupplier clock) {
        this.runner = runner;
        this.listener = listener;
        this.isInterrupted = isInterrupted;
        this.clock = clock;
    }

    /** Runs until every search has ended or was stopped; the contenders know what came of it. */
    public void run(List<Contender> contenders, Duration budget, long seed) {
        long deadline = clock.getAsLong() + budget.toNanos();
        Random order = new Random(seed);
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
            turn(left.get(order.nextInt(left.size())), deadline);
        }
    }

    private void turn(Contender contender, long deadline) {
        CapacitySearch.Step step = contender.step();
        PlannedTrial trial = contender.next(id(contender, step));
        long begun = clock.getAsLong();
        if (begun + contender.estimatedNanos(trial) > deadline) {
            contender.stop(Contender.Stop.BUDGET, null);
            return;
        }
        started++;
        FinishedTrial finished = runner.apply(trial);
        if (!counts(finished)) {
            boolean isRefused = finished.failure() != null;
            contender.stop(isRefused ? Contender.Stop.REFUSED : Contender.Stop.INTERRUPTED, finished.failure());
            return;
        }
        Measured measured = new Measured(step, finished);
        contender.enter(measured, trial, clock.getAsLong() - begun);
        listener.accept(contender, measured);
    }

    private String id(Contender contender, CapacitySearch.Step step) {
        Contender.Name name = contender.name();
        String words = name.transport() + "-" + name.engine() + "-" + name.threading()
                + (name.jvm().isEmpty() ? "" : "-" + name.jvm());
        String slug = words.replaceAll("[^A-Za-z0-9.-]+", "-");
        return String.format(
                Locale.ROOT,
                "%03d-%s-n%d",
                started + 1,
                slug.substring(0, Math.min(LONGEST_SLUG, slug.length())),
                step.instances());
    }

    /** Whether a trial tells something of its number: that its JVM did not live to write a result does. */
    private static boolean counts(FinishedTrial finished) {
        CommandException refusal = finished.failure();
        return finished.result() == null
                ? refusal != null && refusal.kind() == CommandException.Kind.FAILURE
                : finished.result().outcome().verdict() != Verdict.INTERRUPTED;
    }
}
