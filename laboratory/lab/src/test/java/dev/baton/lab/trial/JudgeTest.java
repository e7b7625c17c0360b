package dev.baton.lab.trial;

import static dev.baton.lab.trial.Bench.MILLI;
import static dev.baton.lab.trial.Bench.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.Rate;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.trial.ends.Instance;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.lab.trial.ends.SaturatingGenerator;
import dev.baton.lab.trial.ends.Window;
import dev.baton.measuring.InstanceHistogram;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.HostActivity.Cause;
import dev.baton.measuring.data.HostActivity.RunQueue;
import dev.baton.measuring.data.HostActivity.Stall;
import dev.baton.measuring.machine.SenderGaps;
import dev.baton.measuring.rig.SourceSender;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class JudgeTest {
    private static final Rate FULL = new Rate(1000, 1000, 1, 1, 1);
    private static final Delivery FAULTLESS = new Delivery(1000, 1000, 0, 0, 0, 0, 0, 0, List.of(), 0);
    private static final Limit LIMIT = new Limit(99, 100 * MILLI);

    private final Bench bench = new Bench(Plans.EVEN_1000, 60 * SECOND);

    private final Histogram sendDelay = new Histogram(3);
    private boolean sharesLoops;

    private static FinalCounts counts(Delivery delivery, Rate rate) {
        return new FinalCounts(delivery, rate, List.of());
    }

    private Outcome decide(List<Limit> limits, Delivery delivery, Rate rate, Stall... stalls) {
        return decide(null, null, limits, delivery, rate, stalls);
    }

    private Outcome decide(
            String stopped, String interruption, List<Limit> limits, Delivery delivery, Rate rate, Stall... stalls) {
        HostActivity host = new HostActivity(0.0, 0.0, 0.5, 0.0, null, 0, List.of(stalls));
        return new Judge(limits, 100 * SECOND, 5 * SECOND, sharesLoops, host)
                .decideChains(stopped, interruption, counts(delivery, rate), bench.instances, sendDelay);
    }

    private void responses(int quick, int slow) {
        for (int i = 0; i < quick + slow; i++) {
            bench.responses.record(i < quick ? MILLI : 200 * MILLI);
        }
    }

    @Test
    void faultlessAtFullRateIsAPass() {
        assertThat(decide(List.of(), FAULTLESS, FULL)).isEqualTo(new Outcome(Verdict.PASS, List.of()));
    }

    @Test
    void anyFaultIsAFailure() {
        for (Delivery delivery : List.of(
                new Delivery(9, 8, 1, 0, 0, 0, 0, 0, List.of(), 0),
                new Delivery(9, 9, 0, 0, 1, 0, 0, 0, List.of(), 0),
                new Delivery(9, 9, 0, 0, 0, 1, 0, 0, List.of(), 0),
                new Delivery(9, 9, 0, 0, 0, 0, 1, 0, List.of(), 0))) {
            Outcome outcome = decide(List.of(), delivery, FULL);
            assertThat(outcome.verdict()).isEqualTo(Verdict.FAIL);
            assertThat(outcome.reasons()).hasSize(1);
            assertThat(outcome.reasons().get(0)).startsWith("1 of 9 messages ");
        }
    }

    @Test
    void aChainThatStoppedIsAFailure() {
        assertThat(decide("instance 1 stopped: x", null, List.of(), FAULTLESS, FULL))
                .isEqualTo(new Outcome(Verdict.FAIL, List.of("instance 1 stopped: x")));
    }

    @Test
    void interruptedTrialMayLoseInFlightMessages() {
        Delivery onItsWay = new Delivery(9, 8, 1, 0, 0, 0, 0, 0, List.of(), 0);
        Delivery doubled = new Delivery(9, 8, 1, 0, 1, 0, 0, 0, List.of(), 0);

        assertThat(decide(null, "interrupted", List.of(), onItsWay, FULL).verdict())
                .isEqualTo(Verdict.INTERRUPTED);
        assertThat(decide(null, "interrupted", List.of(), doubled, FULL).verdict())
                .isEqualTo(Verdict.FAIL);
    }

    @Test
    void missedRateFailsUnlessForeignStall() {
        Rate short1 = new Rate(1000, 998, 0.998, 0.998, 7);
        Stall atTheEnd = new Stall(99_900 * MILLI, 300 * MILLI, Cause.HOST);

        assertThat(decide(List.of(), FAULTLESS, short1))
                .isEqualTo(
                        new Outcome(Verdict.FAIL, List.of("instance 7 reached 99.80 % of its rate, less than 99.9 %")));
        Outcome excused = decide(List.of(), FAULTLESS, short1, atTheEnd);
        assertThat(excused.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(excused.blamesHost()).isTrue();
        assertThat(decide(List.of(), FAULTLESS, short1, new Stall(SECOND, 300 * MILLI, Cause.HOST))
                        .verdict())
                .isEqualTo(Verdict.FAIL);
        assertThat(decide(List.of(), FAULTLESS, short1, new Stall(99_900 * MILLI, 300 * MILLI, Cause.BUSY))
                        .verdict())
                .isEqualTo(Verdict.FAIL);
    }

    @Test
    void limitToleranceIsKeptForCutWindow() {
        responses(2_900, 100);
        TrialPlan plan = new TrialPlan(
                "cut",
                new Subject(Subject.BATON, "memory", Map.of()),
                new Shape(5, 1, 0),
                Plans.EVEN_1000,
                new LoopPlan("cooperative:1", null, 0),
                new Phases(0, 100 * SECOND, 5 * SECOND).endingWhenBroken(),
                List.of(LIMIT));
        Window window = StartedWindow.at(0, 0, 100 * SECOND, 5 * SECOND);
        window.cut(3 * SECOND, 5 * SECOND);

        assertThat(decide(plan, window, 200).verdict()).isEqualTo(Verdict.FAIL);
        assertThat(decide(plan, window, 1_200).verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    }

    private Outcome decide(TrialPlan plan, Window window, long stallMillis) {
        Stall stall = new Stall(SECOND, stallMillis * MILLI, Cause.HOST);
        return Judge.of(plan, window, new HostActivity(0.0, 0.0, 0.5, 0.0, null, 0, List.of(stall)))
                .decideChains(null, null, counts(FAULTLESS, FULL), bench.instances, sendDelay);
    }

    private Outcome decideRobbed(double steal, double busy, Rate rate, Limit... limits) {
        return decideRobbed(steal, busy, null, rate, limits);
    }

    private Outcome decideRobbed(double steal, double busy, RunQueue queue, Rate rate, Limit... limits) {
        HostActivity host = new HostActivity(steal, steal, busy, 0.0, queue, SECOND, List.of());
        return new Judge(List.of(limits), 100 * SECOND, 5 * SECOND, sharesLoops, host)
                .decideChains(null, null, counts(FAULTLESS, rate), bench.instances, sendDelay);
    }

    @Test
    void missedRateIsInconclusiveIfCpuWithheld() {
        Rate rate = new Rate(1000, 643.6, 0.6436, 0.6436, 7);

        assertThat(decideRobbed(0.51, 0.40, rate))
                .isEqualTo(new Outcome(
                        Verdict.INCONCLUSIVE,
                        List.of(
                                "instance 7 reached 64.36 % of its rate, less than 99.9 %;"
                                        + " the host withheld 56 % of the CPU time that the trial requested, and 36 % would explain this"),
                        true));
        assertThat(decideRobbed(0.10, 0.80, rate).verdict()).isEqualTo(Verdict.FAIL);
        assertThat(decideRobbed(0.0, 0.0, rate).verdict()).isEqualTo(Verdict.FAIL);
    }

    @Test
    void timeThatOtherProcessesTookCountsLikeTheft() {
        Rate rate = new Rate(1000, 291.2, 0.2912, 0.2912, 1);
        RunQueue crowded = new RunQueue(0.35, 4.2, 1.31);

        assertThat(decideRobbed(0.0, 1.0, crowded, rate))
                .isEqualTo(new Outcome(
                        Verdict.INCONCLUSIVE,
                        List.of(
                                "instance 1 reached 29.12 % of its rate, less than 99.9 %; other processes took 79 %"
                                        + " (1.31 cores) of the CPU time that the trial requested, and 71 % would explain this"),
                        true));
        assertThat(decideRobbed(0.25, 0.5, new RunQueue(0.5, 4.2, 0.25), new Rate(1000, 643.6, 0.6436, 0.6436, 7))
                        .reasons())
                .containsExactly(
                        "instance 7 reached 64.36 % of its rate, less than 99.9 %; the host withheld 25 % and"
                                + " other processes took 25 % (0.25 cores) of the CPU time that the trial requested, and 36 % would explain this");
    }

    /** Case in which messages that 53 % less CPU left unsent in a warm-up of 10 s are sent in the 30 s after it. */
    @Test
    void unsentWarmUpCountsAsShortfall() {
        TrialPlan plan = new TrialPlan(
                "crowded",
                new Subject(Subject.BATON, "memory", Map.of()),
                new Shape(5, 1, 0),
                Plans.EVEN_1000,
                new LoopPlan("cooperative:1", null, 0),
                new Phases(10 * SECOND, 30 * SECOND, 5 * SECOND),
                List.of());
        Window window = StartedWindow.at(0, 10 * SECOND, 30 * SECOND, 5 * SECOND);
        Rate rate = new Rate(1000, 291.2, 0.2912, 0.2912, 1);
        HostActivity crowded = new HostActivity(0.0, 0.0, 1.0, 1.5, new RunQueue(0.45, 2, 0.55), SECOND, List.of());
        HostActivity lessCrowded = new HostActivity(0.0, 0.0, 1.0, 1.5, new RunQueue(0.5, 2, 0.5), SECOND, List.of());

        assertThat(decideOn(plan, window, crowded, rate).reasons())
                .containsExactly("instance 1 reached 29.12 % of its rate, less than 99.9 %; other processes took 55 %"
                        + " (0.55 cores) of the CPU time that the trial requested, and 53 % would explain this");
        assertThat(decideOn(plan, window, lessCrowded, rate).verdict()).isEqualTo(Verdict.FAIL);
    }

    private Outcome decideOn(TrialPlan plan, Window window, HostActivity host, Rate rate) {
        return Judge.of(plan, window, host)
                .decideChains(null, null, counts(FAULTLESS, rate), bench.instances, sendDelay);
    }

    @Test
    void waitsForItsOwnThreadsExcuseNoTrial() {
        Rate rate = new Rate(1000, 643.6, 0.6436, 0.6436, 7);

        assertThat(decideRobbed(0.0, 1.0, new RunQueue(1.9, 30, 0.1), rate).verdict())
                .isEqualTo(Verdict.FAIL);
        assertThat(decideRobbed(0.0, 1.0, new RunQueue(0, 0, 0), rate).verdict())
                .isEqualTo(Verdict.FAIL);
    }

    @Test
    void limitExceededWithoutCpuIsNoFailure() {
        responses(90_000, 10_000);
        Rate rate = new Rate(1000, 643.6, 0.6436, 0.6436, 1);

        assertThat(decideRobbed(0.51, 0.40, rate, LIMIT).verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(decideRobbed(0.51, 0.40, FULL, LIMIT).verdict()).isEqualTo(Verdict.FAIL);
    }

    @Test
    void possiblyInFlightMessagesAreNotLost() {
        Delivery onItsWay = new Delivery(66_080_621, 66_080_290, 0, 331, 0, 0, 0, 0, List.of(), 0);

        assertThat(decide(List.of(), onItsWay, FULL))
                .isEqualTo(
                        new Outcome(Verdict.INCONCLUSIVE, List.of("331 of 66,080,621 messages not drained within 5s")));
        responses(0, 1_000);
        assertThat(decide(List.of(new Limit(50, 100 * MILLI)), onItsWay, FULL).verdict())
                .isEqualTo(Verdict.FAIL);
    }

    @Test
    void unobservableDrainClaimsNoLoss() {
        Delivery open = new Delivery(100, 98, 0, 2, 0, 0, 0, 0, List.of(), 0);

        Outcome outcome = new Judge(List.of(), 100 * SECOND, 5 * SECOND, sharesLoops, null)
                .blindBecause("its clients cannot see it")
                .decideChains(null, null, counts(open, FULL), bench.instances, sendDelay);

        assertThat(outcome)
                .isEqualTo(new Outcome(
                        Verdict.INCONCLUSIVE,
                        List.of("2 of 100 messages not drained within 5s; its clients cannot see it")));
    }

    @Test
    void otherDoubtsDoNotBlameTheHost() {
        Outcome outcome = decide(List.of(LIMIT), FAULTLESS, FULL);

        assertThat(outcome.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(outcome.blamesHost()).isFalse();
    }

    @Test
    void exceededLimitNamesInstanceAndValue() {
        responses(98_000, 2_000);
        Outcome outcome = decide(List.of(LIMIT), FAULTLESS, FULL);

        assertThat(outcome.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(outcome.reasons().get(0)).startsWith("instance 1 broke p99<100ms with 20");
    }

    @Test
    void limitExceededByForeignStallsIsInconclusive() {
        responses(98_000, 2_000);
        // 1 % of 100 s is 1 s: six stalls of 300 ms put 6 * 200 ms over a limit of 100 ms
        Stall foreign = new Stall(0, 300 * MILLI, Cause.OTHER_PROCESSES);

        assertThat(decide(List.of(LIMIT), FAULTLESS, FULL, foreign, foreign, foreign, foreign, foreign, foreign)
                        .verdict())
                .isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(decide(List.of(LIMIT), FAULTLESS, FULL, foreign, foreign, foreign, foreign)
                        .verdict())
                .isEqualTo(Verdict.FAIL);
    }

    @Test
    void keptLimitNeedsEnoughSamples() {
        responses(99_500, 500);
        assertThat(decide(List.of(LIMIT), FAULTLESS, FULL).verdict()).isEqualTo(Verdict.PASS);

        Outcome grey = decide(List.of(new Limit(99.99, 100 * MILLI)), FAULTLESS, FULL);
        assertThat(grey.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(grey.reasons().get(0))
                .isEqualTo(
                        "instance 1: p99.99<100ms cannot be judged: 10 samples lie above it, 100 are needed; use --duration 17m");
    }

    @Test
    void unjudgedInstancesShareOneReason() {
        responses(10_000, 0);
        List<InstanceHistogram> three =
                Collections.nCopies(3, bench.instances.get(0).responses());

        assertThat(new Judge(List.of(new Limit(99.9, 100 * MILLI)), 100 * SECOND, 5 * SECOND, sharesLoops, null)
                        .decide(null, null, counts(FAULTLESS, FULL), three, sendDelay)
                        .reasons())
                .containsExactly(
                        "3 of 3 instances: p99.9<100ms cannot be judged: 10 samples lie above it, 100 are needed;"
                                + " use --duration 17m");
    }

    @Test
    void exceededLimitFailsBehindUnjudgedOne() {
        responses(9_000, 1_000);
        Limit unjudged = new Limit(99.99, 100 * MILLI); // on 1 sample
        Limit broken = new Limit(90.5, 100 * MILLI);
        Limit maximum = new Limit(100, 100 * MILLI);

        for (List<Limit> limits : List.of(
                List.of(broken, unjudged),
                List.of(unjudged, broken),
                List.of(unjudged, maximum),
                List.of(new Limit(99.9, 100 * MILLI), maximum))) {
            assertThat(decide(limits, FAULTLESS, FULL).verdict())
                    .as("%s", limits)
                    .isEqualTo(Verdict.FAIL);
        }
    }

    @Test
    void exceededLimitFailsBehindStalledOne() {
        responses(98_500, 1_500);
        // six stalls of 300 ms put 1.2 s over the limit, which is 1 % of 100 s, and not 1.3 %
        Stall foreign = new Stall(0, 300 * MILLI, Cause.OTHER_PROCESSES);
        Limit stalled = new Limit(99, 100 * MILLI);
        Limit broken = new Limit(98.7, 100 * MILLI);

        assertThat(decide(List.of(broken), FAULTLESS, FULL, foreign, foreign, foreign, foreign, foreign, foreign)
                        .verdict())
                .isEqualTo(Verdict.FAIL);
        assertThat(decide(
                                List.of(stalled, broken),
                                FAULTLESS,
                                FULL,
                                foreign,
                                foreign,
                                foreign,
                                foreign,
                                foreign,
                                foreign)
                        .verdict())
                .isEqualTo(Verdict.FAIL);
    }

    @Test
    void limitWithoutSamplesIsNoPass() {
        Outcome outcome = decide(List.of(LIMIT), FAULTLESS, FULL);
        assertThat(outcome.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(outcome.reasons()).containsExactly("instance 1: p99<100ms cannot be judged: nothing was recorded");
    }

    @Test
    void silentInstanceAtSaturationFails() {
        Rate rate = new Rate(1000, 1000, 1, 1, 1);
        List<Instance> all = withASilentInstance();
        Judge judge = new Judge(List.of(), 100 * SECOND, 5 * SECOND, true, null);
        assertThat(judge.decideChains(null, null, counts(FAULTLESS, rate), all, sendDelay))
                .isEqualTo(new Outcome(
                        Verdict.FAIL,
                        List.of("instance 2 sent nothing in the measurement; at saturation every instance has to")));
        assertThat(new Judge(List.of(), 100 * SECOND, 5 * SECOND, true, null)
                        .decideChains(null, "interrupted", counts(FAULTLESS, rate), all, sendDelay)
                        .verdict())
                .isEqualTo(Verdict.INTERRUPTED);
    }

    /** The first sends in the window, the second before it only. */
    private List<Instance> withASilentInstance() {
        Load load = Load.saturating(1);
        List<Instance> instances = new ArrayList<>();
        bench.start(SECOND, SECOND, SECOND);
        for (int i = 0; i < 2; i++) {
            Instruments.Meters meters = new Instruments.Meters(
                    bench.window, () -> bench.now, bench.recorders, SenderGaps.Pool.none(), bench.highestNanos);
            SaturatingGenerator generator = new SaturatingGenerator(i, load, bench.shape, meters, sent -> sent);
            instances.add(new Instance(i, generator, List.of(bench.receiver), null, null, null, null));
        }
        bench.now = SECOND / 2;
        instances.forEach(each -> each.generator().onTurn(one()));
        bench.now = SECOND * 3 / 2;
        instances.get(0).generator().onTurn(one());
        bench.now = SECOND * 3;
        instances.forEach(each -> each.generator().onTurn(one()));
        return instances;
    }

    /** Takes one message. */
    private static SourceSender one() {
        boolean[] isFull = {false};
        return (number, origin, tag) -> {
            boolean isTaken = !isFull[0];
            isFull[0] = true;
            return isTaken;
        };
    }

    @Test
    void theMaximumMayBeLimitedToo() {
        responses(100, 1);
        assertThat(decide(List.of(new Limit(100, 100 * MILLI)), FAULTLESS, FULL).verdict())
                .isEqualTo(Verdict.FAIL);
    }

    @Test
    void aWindowWithoutASlotIsNoVerdict() {
        assertThat(decide(List.of(), FAULTLESS, new Rate(0, 0, 1, 1, 1)).verdict())
                .isEqualTo(Verdict.INCONCLUSIVE);
    }

    @Test
    void lateGeneratorsFailTheTrial() {
        responses(100_000, 0);
        sendDelay.recordValueWithCount(1_000, 99_000);
        sendDelay.recordValueWithCount(SECOND, 1_000);
        Outcome outcome = decide(List.of(new Limit(99, 2 * SECOND)), FAULTLESS, FULL);
        assertThat(outcome.verdict()).isEqualTo(Verdict.PASS);
        outcome = decide(List.of(new Limit(99.5, 2 * SECOND)), FAULTLESS, FULL);
        assertThat(outcome.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(outcome.reasons().get(0)).contains("generators were late");
    }

    @Test
    void generatorOnLoopIsJudgedByResponse() {
        sharesLoops = true;
        responses(100_000, 0);
        sendDelay.recordValueWithCount(SECOND, 100_000);
        assertThat(decide(List.of(new Limit(99, 2 * SECOND)), FAULTLESS, FULL).verdict())
                .isEqualTo(Verdict.PASS);
        responses(0, 5_000);
        assertThat(decide(List.of(LIMIT), FAULTLESS, FULL).verdict()).isEqualTo(Verdict.FAIL);
    }

    @Test
    void unreadableLogFailsTheTrial() {
        responses(100_000, 0);
        Outcome outcome = decide(List.of(LIMIT), FAULTLESS, FULL);
        assertThat(Judge.withLog(outcome, null)).isEqualTo(outcome);
        outcome = Judge.withLog(outcome, "a line that cannot be read");
        assertThat(outcome.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(outcome.reasons()).containsExactly("a line that cannot be read");
    }
}
