package dev.baton.lab.study.advice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FakeProvider;
import dev.baton.lab.FixedResults;
import dev.baton.lab.command.PlannedTrials;
import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.launch.jvm.JvmChoice;
import dev.baton.lab.matrix.Spread;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Observers;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.settings.LoopPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The search over a machine that is a formula, and a clock that only trials move. */
class AdviceSearchTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long OVERHEAD = 3 * SECOND;
    private static final Told DEAD = Told.of(0, 0); // of a JVM that did not write a result
    private static final double MICRO = 1e-6 * 1000; // cores for a microsecond of each message, 1,000 of them a second

    private final List<PlannedTrial> ran = new ArrayList<>();
    private long nowNanos;
    private long overheadNanos = OVERHEAD;
    private boolean isInterrupted;
    private Neighbourhood settings; // of the latest search, as is the question
    private Question question;

    /** What the formula says of a trial. */
    private record Told(double micros, double p999Millis, Verdict verdict, double share) {
        static Told of(double micros, double p999Millis) {
            return new Told(micros, p999Millis, null);
        }

        Told(double micros, double p999Millis, Verdict verdict) {
            this(micros, p999Millis, verdict, 1);
        }

        Told carrying(double other) {
            return new Told(micros, p999Millis, verdict, other);
        }
    }

    /** {@code slow} takes little CPU and much time, {@code quick} the other way around. */
    private static Told planted(PlannedTrial trial) {
        return isOver(trial, "slow") ? Told.of(5, 20) : Told.of(50, 1);
    }

    private static boolean isOver(PlannedTrial trial, String transport) {
        return trial.plan().subject().transport().equals(transport);
    }

    private static boolean isDeciding(PlannedTrial trial) {
        return trial.plan().phases().measureNanos() == 4 * SECOND;
    }

    @Test
    void bestTransportDependsOnTheLimit() {
        SearchEnd loose = run("p99.9<50ms", AdviceSearchTest::planted);
        assertThat(loose.end()).isEqualTo(SearchEnd.End.RECOMMENDED);
        assertThat(loose.taken().transportName()).isEqualTo("slow");
        assertThat(cost(loose).median()).isEqualTo(5_000);

        SearchEnd tight = run("p99.9<5ms", AdviceSearchTest::planted);
        assertThat(tight.taken().transportName()).isEqualTo("quick");
        assertThat(cost(tight).median()).isEqualTo(50_000);
    }

    @Test
    void savingValuesAreFoundInTurn() {
        SearchEnd finding = run("p99.9<50ms", trial -> {
            LoopPlan loops = trial.plan().loops();
            double micros = 40
                    * (loops.batch() == 1024 ? 0.5 : 1)
                    * (loops.idle().equals("backoff") ? 0.5 : 1)
                    * (trial.flags().contains("-Xmx1024m") ? 0.5 : 1);
            return Told.of(micros, 1);
        });
        assertThat(finding.taken().loops().batch()).isEqualTo(1024);
        assertThat(finding.taken().loops().idle()).isEqualTo("backoff");
        assertThat(finding.taken().jvm().heap()).isEqualTo("1024m");
        assertThat(cost(finding).median()).isEqualTo(5_000);
    }

    @Test
    void simplerOfTiedSettingsIsTaken() {
        SearchEnd finding = run("p99.9<50ms", trial -> Told.of(10 + ran.size() % 3, 1));
        assertThat(finding.isTie()).isTrue();
        assertThat(finding.taken().deviations())
                .isLessThanOrEqualTo(finding.other().deviations());
        assertThat(finding.run().noise()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 120, 600, 3_600})
    void trialsLeaveTimeForTheConfirmation(int seconds) {
        SearchEnd finding = run("p99.9<50ms", Duration.ofSeconds(seconds), AdviceSearchTest::planted);
        assertThat(nowNanos).isLessThanOrEqualTo(seconds * SECOND);
        assertThat(finding.end()).isEqualTo(SearchEnd.End.RECOMMENDED);
        assertThat(ran.stream().filter(AdviceSearchTest::isDeciding)).hasSizeGreaterThanOrEqualTo(6);
    }

    @Test
    void bestRunsTwiceInEachRound() {
        run("p99.9<50ms", AdviceSearchTest::planted);
        List<String> deciding = ran.stream()
                .filter(AdviceSearchTest::isDeciding)
                .map(trial -> trial.plan().id())
                .toList();
        assertThat(deciding).hasSize(3 * Confirmation.MOST_ROUNDS);
        assertThat(deciding.stream().filter(id -> id.startsWith("01.") || id.startsWith("03.")))
                .hasSize(2 * Confirmation.MOST_ROUNDS);
        assertThat(ran.stream().map(trial -> trial.plan().id())).doesNotHaveDuplicates();
    }

    @Test
    void significantlyCheaperSettingIsNoTie() {
        SearchEnd finding = run("p99.9<50ms", trial -> {
            LoopPlan loops = trial.plan().loops();
            boolean isBegun =
                    loops.threading().equals("cooperative:1") && loops.idle().equals(LoopPlan.DEFAULT_IDLE);
            boolean isOnlyBatched = isBegun
                    && loops.latencyBudgetNanos() > 20e6
                    && !trial.flags().contains("-Xmx1024m");
            return Told.of(isOver(trial, "slow") && isOnlyBatched && loops.batch() == 16 ? 5 : 50, 1);
        });
        assertThat(finding.isTie()).isFalse();
        assertThat(finding.taken().loops().batch()).isEqualTo(16);
        assertThat(finding.run().cost(finding.other()).median()).isEqualTo(50_000);
    }

    @Test
    void exhaustedBudgetIsInconclusive() {
        SearchEnd finding = run("p99.9<50ms", Duration.ofMinutes(2), trial -> {
            overheadNanos = ran.size() == 2 ? 100 * SECOND : OVERHEAD;
            return planted(trial);
        });
        assertThat(finding.end()).isEqualTo(SearchEnd.End.INCONCLUSIVE);
        assertThat(finding.why())
                .contains(
                        "the budget has no time left to confirm what kept the limit in a short trial: 6 trials take about ")
                .contains(", and 11 s are left; raise --budget to ");
        assertThat(finding.end().code).isEqualTo(4);
    }

    @Test
    void slowerTrialsShortenTheConfirmation() {
        SearchEnd finding = run("p99.9<50ms", Duration.ofMinutes(3), trial -> {
            overheadNanos = isDeciding(trial) ? 60 * SECOND : OVERHEAD;
            return planted(trial);
        });
        assertThat(finding.end()).isEqualTo(SearchEnd.End.INCONCLUSIVE);
        assertThat(finding.why()).contains("the budget cut short");
        assertThat(ran.stream().filter(AdviceSearchTest::isDeciding)).hasSize(1);
        assertThat(nowNanos).as("one trial takes longer than expected").isLessThan(240 * SECOND);
    }

    @Test
    void slowTransportLeavesOthersUnmeasured() {
        SearchEnd finding = run("p99.9<50ms", Duration.ofMinutes(2), trial -> {
            overheadNanos = 115 * SECOND;
            return planted(trial);
        });
        assertThat(ran).hasSize(1);
        assertThat(finding.end()).isEqualTo(SearchEnd.End.INCONCLUSIVE);
    }

    @Test
    void neededBudgetIsEnoughToConfirm() {
        for (String limits : List.of("p99.9<50ms", "p99.9<5ms")) {
            search(limits, Duration.ofMinutes(1), AdviceSearchTest::planted);
            SearchEnd finding = run(limits, AdviceSearch.needed(settings, question), AdviceSearchTest::planted);
            assertThat(finding.end()).as(finding.why()).isEqualTo(SearchEnd.End.RECOMMENDED);
        }
    }

    @Test
    void neededBudgetCoversTrialsOnBusyHosts() {
        overheadNanos = 6 * SECOND;
        search("p99.9<50ms", Duration.ofMinutes(1), AdviceSearchTest::planted);
        SearchEnd finding = run("p99.9<50ms", AdviceSearch.needed(settings, question), AdviceSearchTest::planted);
        assertThat(finding.end()).as(finding.why()).isEqualTo(SearchEnd.End.RECOMMENDED);
    }

    @Test
    void oneSlowTrialDoesNotEndTheSearch() {
        SearchEnd finding = run("p99.9<50ms", Duration.ofMinutes(5), trial -> {
            overheadNanos = ran.size() == 8 ? 40 * SECOND : OVERHEAD;
            return planted(trial);
        });
        assertThat(finding.end()).as(finding.why()).isEqualTo(SearchEnd.End.RECOMMENDED);
        assertThat(ran.stream().filter(trial -> !isDeciding(trial))).hasSizeGreaterThan(9);
    }

    @Test
    void transportsThatWereNotMeasuredLeaveNoFailure() {
        SearchEnd finding = run("p90<5ms", Duration.ofMinutes(2), trial -> {
            overheadNanos = 80 * SECOND;
            return Told.of(5, 20);
        });
        assertThat(finding.end()).isEqualTo(SearchEnd.End.INCONCLUSIVE);
        assertThat(finding.why()).endsWith("; the budget kept slow from being measured");
    }

    @Test
    void noSettingWithinLimitIsAFailure() {
        SearchEnd finding = run("p99.9<5ms", trial -> Told.of(5, 20));
        assertThat(finding.end()).isEqualTo(SearchEnd.End.NONE);
        assertThat(finding.end().code).isEqualTo(1);
        assertThat(ran.stream().filter(AdviceSearchTest::isDeciding))
                .as("the nearest fails a trial that decides")
                .hasSize(1);
        assertThat(ran.stream().filter(trial -> isOver(trial, "slow") && !isDeciding(trial)))
                .as("a transport is given up in the end")
                .hasSize(8);
    }

    @ParameterizedTest
    @CsvSource({"1, 0.4", "1, 0", "30, 1"})
    void hopelessTransportsAreTriedOnce(double p999Millis, double share) {
        SearchEnd finding = run(
                "p99.9<5ms",
                trial -> isOver(trial, "slow") ? Told.of(5, p999Millis).carrying(share) : planted(trial));
        assertThat(finding.taken().transportName()).isEqualTo("quick");
        assertThat(ran.stream().filter(trial -> isOver(trial, "slow"))).hasSize(1);
    }

    @Test
    void transportsWithoutResultAreTriedOnce() {
        SearchEnd finding = run("p99.9<50ms", trial -> isOver(trial, "slow") ? DEAD : planted(trial));
        assertThat(finding.taken().transportName()).isEqualTo("quick");
        assertThat(ran.stream().filter(trial -> isOver(trial, "slow"))).hasSize(1);
    }

    @Test
    void nearMissesAreNotHopeless() {
        run("p99.9<5ms", trial -> isOver(trial, "slow") ? Told.of(5, 20).carrying(0.51) : planted(trial));
        assertThat(ran.stream().filter(trial -> isOver(trial, "slow"))).hasSizeGreaterThan(1);
    }

    @Test
    void hopelessTrialOnBusyLoopLeadsToWidest() {
        SearchEnd finding = run("p99.9<50ms", trial -> {
            boolean isWide = trial.plan().loops().threading().equals(LoopPlan.PER_SERVICE);
            return isOver(trial, "quick")
                    ? Told.of(50, 1).carrying(0)
                    : isWide ? Told.of(900, 1) : Told.of(900, 1).carrying(0.4);
        });
        assertThat(finding.taken().loops().threading()).isEqualTo(LoopPlan.PER_SERVICE);
        assertThat(ran.stream().filter(trial -> isOver(trial, "quick"))).hasSize(1);
    }

    @Test
    void aHostThatDisturbsEveryTrialIsInconclusive() {
        SearchEnd finding = run("p99.9<5ms", trial -> new Told(5, 20, Verdict.INCONCLUSIVE));
        assertThat(finding.end()).isEqualTo(SearchEnd.End.INCONCLUSIVE);
        assertThat(finding.why()).contains("the host disturbed");
    }

    @Test
    void aConfirmationThatTheHostDisturbsIsInconclusive() {
        SearchEnd finding =
                run("p99.9<50ms", trial -> isDeciding(trial) ? new Told(5, 20, Verdict.INCONCLUSIVE) : planted(trial));
        assertThat(finding.end()).isEqualTo(SearchEnd.End.INCONCLUSIVE);
        assertThat(finding.why())
                .contains("the host disturbed the trials that were to confirm slow")
                .contains(": 0 of 10 passed, another did not (the machine stalled)");
    }

    @Test
    void noisyIdenticalTrialsDistinguishNothing() {
        SearchEnd finding = run("p99.9<50ms", trial -> Told.of(isDeciding(trial) ? 5 * (1 + ran.size() % 3) : 5, 1));
        assertThat(finding.end()).isEqualTo(SearchEnd.End.INCONCLUSIVE);
        assertThat(finding.why()).contains("differed by more than half");
    }

    @Test
    void settingFailingLongTrialIsReplaced() {
        SearchEnd finding = run(
                "p99.9<50ms", trial -> isOver(trial, "slow") && isDeciding(trial) ? Told.of(5, 60) : planted(trial));
        assertThat(finding.end()).isEqualTo(SearchEnd.End.RECOMMENDED);
        assertThat(finding.taken().transportName()).isEqualTo("quick");
    }

    @Test
    void onlyPassingSettingIsTaken() {
        String[] best = {null};
        SearchEnd finding = run("p99.9<50ms", trial -> {
            boolean isBest = isOver(trial, "slow") && trial.plan().loops().batch() == 1024;
            best[0] = isBest ? trial.plan().loops().toString() : best[0];
            return Told.of(isBest ? 5 : 50, !isBest && isDeciding(trial) ? 60 : 1);
        });
        assertThat(finding.end()).isEqualTo(SearchEnd.End.RECOMMENDED);
        assertThat(finding.taken().loops().batch()).isEqualTo(1024);
        assertThat(best[0]).isNotNull();
    }

    @Test
    void shortTrialsAloneAreNotEnough() {
        SearchEnd finding = run("p99.9<50ms", trial -> Told.of(5, isDeciding(trial) ? 60 : 1));
        assertThat(finding.taken()).isNull();
        assertThat(finding.end()).isEqualTo(SearchEnd.End.NONE);
        assertThat(finding.why())
                .contains("kept the limit in a short trial (p99.9 (1.00 ms)) and broke it in a longer one that decides"
                        + " (instance 1 broke p99.9<50ms with 60ms); ")
                .contains("; no other measured setting keeps the limit");
    }

    @Test
    void answerNamesPassedAndDisturbedTrials() {
        SearchEnd finding = run(
                "p99.9<50ms",
                trial -> isOver(trial, "quick")
                        ? new Told(5, 20, Verdict.INCONCLUSIVE)
                        : Told.of(5, isDeciding(trial) ? 60 : 1));
        assertThat(finding.end()).isEqualTo(SearchEnd.End.INCONCLUSIVE);
        assertThat(finding.why())
                .contains(
                        "slow, cooperative:1, latency budget 30ms kept the limit in a short trial (p99.9 (1.00 ms)) and"
                                + " broke it in a longer one that decides (instance 1 broke p99.9<50ms with 60ms)")
                .contains("; no other trial kept the limit, and the host disturbed some of them: quick, ");
    }

    @Test
    void failureNamesTheNearestSettingWithItsFigure() {
        SearchEnd finding = run("p90<5ms", trial -> Told.of(5, isOver(trial, "quick") ? 6 : 20));
        assertThat(finding.why())
                .contains("no setting that was measured keeps the limit; the nearest was quick, cooperative:1")
                .contains(": instance 1 broke p90<5ms with 6ms");
        assertThat(ran).as("enough samples decide").noneMatch(AdviceSearchTest::isDeciding);
    }

    @Test
    void longerTrialsDecideProvisionalFailure() {
        SearchEnd broken = run("p99.9<5ms", trial -> Told.of(5, isOver(trial, "quick") ? 6 : 20));
        assertThat(broken.end()).isEqualTo(SearchEnd.End.NONE);
        assertThat(broken.why())
                .startsWith("quick, cooperative:1")
                .contains(
                        " broke the limit in a short trial (p99.9 (6.00 ms)) and broke it in a longer one that decides"
                                + " (instance 1 broke p99.9<5ms with 6ms)");

        SearchEnd kept = run("p99.9<5ms", trial -> Told.of(5, isOver(trial, "quick") ? isDeciding(trial) ? 4 : 6 : 20));
        assertThat(kept.end()).isEqualTo(SearchEnd.End.RECOMMENDED);
        assertThat(kept.taken().transportName()).isEqualTo("quick");
    }

    @Test
    void provisionalFailuresAreNoAnswer() {
        SearchEnd finding = run("p99.9<5ms", Duration.ofMinutes(4), trial -> {
            overheadNanos = ran.size() == 16 ? 120 * SECOND : OVERHEAD;
            return Told.of(5, 20);
        });
        assertThat(finding.end()).isEqualTo(SearchEnd.End.INCONCLUSIVE);
        assertThat(finding.why()).contains("the budget has no time left to confirm that no setting keeps the limit");
    }

    @Test
    void provisionalVerdictsAreMarked() {
        AdviceSearch search = search("p99.9<50ms", Duration.ofMinutes(20), AdviceSearchTest::planted);
        search.run();
        assertThat(search.tried).allSatisfy(each -> {
            assertThat(Advice.Row.of(each).isProvisional()).isTrue();
            assertThat(String.join(" ", AdviceReport.lines(each, 200)))
                    .matches(".*\\([0-9.]+ %\\) .*: PASS, provisional");
        });
        assertThat(search.decided).allSatisfy(each -> {
            assertThat(Advice.Row.of(each).isProvisional()).isFalse();
            assertThat(String.join(" ", AdviceReport.lines(each, 200))).matches(".* [0-9.]+ %  deciding: .*: PASS");
        });
    }

    @Test
    void neededCoresAreThoseOfTheCostliestTrial() {
        SearchEnd finding =
                run("p99.9<50ms", trial -> Told.of(900 + (isDeciding(trial) ? 50 * (ran.size() % 4) : 0), 1));
        Advice.Costs costs = Advice.Costs.of(finding.run().results(finding.taken()), null);
        assertThat(costs.cores()).isLessThan(1);
        assertThat(costs.wholeCores()).isEqualTo(2);
    }

    @Test
    void surenessNamesSettingsThatBrokeTheLimit() {
        AdviceSearch search = search("p99.9<50ms", Duration.ofMinutes(20), trial -> {
            boolean isSlow = isOver(trial, "slow");
            return Told.of(isSlow ? 5 : 50, isSlow && isDeciding(trial) ? 60 : 1);
        });
        SearchEnd finding = search.run();
        assertThat(finding.taken().transportName()).isEqualTo("quick");
        assertThat(AdviceText.sureness(finding, search))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("slow, ")
                        .contains("kept the limit in a short trial (p99.9 (1.00 ms)) and broke it in a longer one"))
                .noneMatch(line -> line.contains("nothing else that was measured kept the limit"));
        assertThat(search.decided)
                .hasSameSizeAs(ran.stream().filter(AdviceSearchTest::isDeciding).toList());
    }

    @Test
    void anInterruptionEndsTheSearch() {
        SearchEnd finding = run("p99.9<50ms", trial -> {
            isInterrupted = ran.size() == 4;
            return planted(trial);
        });
        assertThat(finding.end()).isEqualTo(SearchEnd.End.INTERRUPTED);
        assertThat(ran).hasSize(4);
    }

    @Test
    void refusedTransportIsNotRetried() {
        SearchEnd finding = run("p99.9<50ms", trial -> isOver(trial, "slow") ? null : planted(trial));
        assertThat(finding.taken().transportName()).isEqualTo("quick");
        assertThat(ran.stream().filter(trial -> isOver(trial, "slow"))).hasSize(1);
    }

    private static Spread cost(SearchEnd finding) {
        return finding.run().cost(finding.taken());
    }

    private SearchEnd run(String limits, Function<PlannedTrial, Told> machine) {
        return run(limits, Duration.ofMinutes(20), machine);
    }

    private SearchEnd run(String limits, Duration length, Function<PlannedTrial, Told> machine) {
        return search(limits, length, machine).run();
    }

    /** @param machine null for a trial that the environment does not allow */
    private AdviceSearch search(String text, Duration length, Function<PlannedTrial, Told> machine) {
        ran.clear();
        nowNanos = 0;
        List<Limit> limits = Limit.parse(text);
        List<ChosenTransport> transports = Stream.of("quick", "slow")
                .map(name -> new ChosenTransport(new FakeProvider(name, false, false), Map.of(), 0))
                .toList();
        Shape shape = new Shape(5, 1, 300);
        Load load = new Load(1_000, Load.Arrivals.EVEN, 1);
        List<Limit> lookedAt = limits.stream()
                .map(limit -> limit.runForNanos(Limit.ENOUGH_SAMPLES, 1_000) <= 2 * SECOND ? limit : limit.judgedOn(10))
                .toList();
        question = new Question(
                limits, lookedAt, common(shape, load, SECOND, 2 * SECOND), common(shape, load, 2 * SECOND, 4 * SECOND));
        settings = new Neighbourhood(
                transports, limits, 1_000, shape, List.of(JvmChoice.current()), Arrays.asList(null, "1024m"), 2);
        TrialBudget budget =
                new TrialBudget(length, trial -> finished(trial, machine), () -> isInterrupted, () -> nowNanos);
        return new AdviceSearch(settings, question, budget, tried -> {});
    }

    private static PlannedTrials common(Shape shape, Load load, long warmup, long measure) {
        LoopPlan replaced = new LoopPlan("cooperative:1", null, 0);
        return new PlannedTrials(
                shape,
                load,
                replaced,
                new Phases(warmup, measure, SECOND),
                Observers.UNTIMED,
                JvmChoice.current(),
                "256m");
    }

    private FinishedTrial finished(PlannedTrial trial, Function<PlannedTrial, Told> machine) {
        ran.add(trial);
        Told told = machine.apply(trial);
        TrialPlan plan = trial.plan();
        nowNanos += overheadNanos + plan.phases().warmupNanos() + plan.phases().measureNanos();
        if (told == null) {
            return new FinishedTrial(plan, null, CommandException.environment("not here"));
        }
        if (told == DEAD) {
            return new FinishedTrial(
                    plan, null, new CommandException(CommandException.Kind.FAILURE, "its JVM ended with code 7"));
        }
        long p999 = Math.round(told.p999Millis() * 1e6);
        boolean isPass = told.share() == 1 && plan.limits().stream().allMatch(limit -> p999 < limit.nanos());
        Verdict verdict = told.verdict() != null ? told.verdict() : isPass ? Verdict.PASS : Verdict.FAIL;
        TrialResult result = FixedResults.result(
                plan,
                p999 / FixedResults.P999_OVER_P50,
                new Delivery(10, 10, 0, 0, 0, 0, 0, 0, List.of(), 0),
                outcome(plan, p999, verdict));
        TrialResult using = FixedResults.using(result, told.micros() * MICRO);
        return new FinishedTrial(plan, FixedResults.carrying(using, told.share()), null);
    }

    private static Outcome outcome(TrialPlan plan, long p999Nanos, Verdict verdict) {
        return switch (verdict) {
            case FAIL ->
                new Outcome(
                        verdict,
                        List.of("instance 1 broke " + plan.limits().get(0) + " with " + Limit.time(p999Nanos)));
            case INCONCLUSIVE -> new Outcome(verdict, List.of("the machine stalled"), true);
            default -> new Outcome(verdict, List.of());
        };
    }
}
