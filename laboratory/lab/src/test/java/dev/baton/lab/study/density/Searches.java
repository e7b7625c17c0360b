package dev.baton.lab.study.density;

import dev.baton.lab.FixedResults;
import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.launch.jvm.InstalledJvm;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.search.CapacitySearch;
import dev.baton.lab.search.SearchScheduler;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Searches over machines that exist on paper, with a clock to match. */
public final class Searches {
    static final long SECOND = 1_000_000_000L;
    private static final Limit LIMIT = new Limit(99.9, 100_000_000);

    final AtomicLong clock = new AtomicLong();
    final List<String> ran = new ArrayList<>();
    boolean isInterrupted;

    /** A contender whose trials warm up for 10 s and measure for 30 s or 101 s. */
    public static Contender contender(
            String transport, String engine, int start, int most, AvailableResources.MissingResource ceiling) {
        return contender(transport, engine, start, most, ceiling, most);
    }

    /** The same where the machine has no room for 101 s of more than so many instances. */
    public static Contender contender(
            String transport,
            String engine,
            int start,
            int most,
            AvailableResources.MissingResource ceiling,
            int mostForLong) {
        LoopPlan loops = new LoopPlan("cooperative:2", "default", 60_000_000);
        return new Contender(
                new Contender.Name(transport, engine, loops.threading(), ""),
                new CapacitySearch(start, most, CapacitySearch.StepWidth.DEFAULT),
                (id, step) -> planned(transport, engine, id, step, loops, mostForLong),
                ceiling,
                transport.equals("kafka"));
    }

    private static PlannedTrial planned(
            String transport, String engine, String id, CapacitySearch.Step step, LoopPlan loops, int mostForLong) {
        boolean isLong = step.isDeciding() && step.instances() <= mostForLong;
        TrialPlan usual = FixedResults.plan(transport, loops.threading(), loops.idle());
        TrialPlan plan = new TrialPlan(
                id,
                new Subject(engine, transport, Map.of()),
                new Shape(5, step.instances(), 0),
                usual.load(),
                loops,
                new Phases(10 * SECOND, (isLong ? 101 : 30) * SECOND, 10 * SECOND),
                List.of(isLong ? LIMIT : LIMIT.judgedOn(10)));
        return new PlannedTrial(plan, InstalledJvm.current(), List.of(), null, 0);
    }

    /** Runs them, each trial as long as planned and 5 s more. */
    public void run(List<Contender> contenders, Duration budget, Function<TrialPlan, FinishedTrial> machine) {
        new SearchScheduler<Contender>(
                        trial -> {
                            TrialPlan plan = trial.plan();
                            ran.add(plan.subject().transport() + " "
                                    + plan.shape().instances());
                            clock.addAndGet(
                                    plan.phases().warmupNanos() + plan.phases().measureNanos() + 5 * SECOND);
                            return machine.apply(plan);
                        },
                        contender -> {},
                        () -> isInterrupted,
                        clock::get)
                .run(contenders, budget, 1);
    }

    /** A machine whose host withheld CPU time from it: the trial tells nothing. */
    public static FinishedTrial robbed(TrialPlan plan) {
        Outcome outcome = new Outcome(
                Verdict.INCONCLUSIVE,
                List.of(
                        "instance 3 reached 64.36 % of its rate, less than 99.9 %; the host withheld 56 % of the CPU time,"
                                + " the shortfall needed 36 %"),
                true);
        Delivery delivery = new Delivery(40_000, 40_000, 0, 0, 0, 0, 0, 0, List.of(), 0);
        return new FinishedTrial(plan, FixedResults.result(plan, 10_000_000, delivery, outcome), null);
    }

    /** A machine that holds so many chains: their p99.9 is 50 ms, and 150 ms where there are more. */
    public static FinishedTrial holding(TrialPlan plan, int capacity) {
        int instances = plan.shape().instances();
        boolean isPass = instances <= capacity;
        long worst = isPass ? 50_000_000 : 150_000_000;
        Outcome outcome = isPass
                ? new Outcome(Verdict.PASS, List.of())
                : new Outcome(Verdict.FAIL, List.of("instance 3 broke p99.9<100ms with 150ms", "and another"));
        Delivery delivery = new Delivery(40_000, 40_000, 0, 0, 0, 0, 0, 0, List.of(), 0);
        TrialResult result = FixedResults.result(plan, 10_000_000, delivery, outcome);
        return new FinishedTrial(plan, FixedResults.withWorst(result, Math.min(3, instances), worst), null);
    }
}
