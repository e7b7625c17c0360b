package dev.baton.lab.study.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.study.comparison.Gate.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What CI is told. */
class GateTest {
    private static final ComparisonSide FIVE = StatisticsTest.side(1_000, 1_010, 990, 1_005, 995);

    private static Outcome outcome(ComparisonSide before, ComparisonSide after, String allowed) {
        return Gate.worst(Gate.check(before, after, Allowance.parse(allowed)));
    }

    @Test
    void growthBeyondAllowanceAndNoiseIsWorse() {
        ComparisonSide before = StatisticsTest.side(1_000, 1_010, 990, 1_005, 995);
        ComparisonSide after = StatisticsTest.side(1_300, 1_310, 1_290, 1_305, 1_295);
        assertThat(outcome(before, after, "p50<+10%")).isEqualTo(Outcome.WORSE);
        assertThat(outcome(before, after, "p50<+40%")).isEqualTo(Outcome.PASS);
        assertThat(outcome(after, before, "p50<+0%")).isEqualTo(Outcome.PASS);
    }

    @Test
    void growthOfDisturbedTrialsIsInconclusive() {
        List<Sample> disturbed = LongStream.of(1_300, 1_310, 1_290, 1_305, 1_295)
                .mapToObj(nanos -> StatisticsTest.sample(
                        nanos,
                        FAULTLESS,
                        new dev.baton.lab.results.Outcome(
                                Verdict.INCONCLUSIVE, List.of("the host withheld 56 %"), true)))
                .toList();
        Gate.Check check = Gate.check(
                        FIVE, StatisticsTest.side(Map.of("plain", disturbed)), Allowance.parse("p50<+10%"))
                .get(0);
        assertThat(check.outcome()).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(GateReport.text(check))
                .contains("p50<+10%: +30.0 %", "disturbed 0 of 5 trials before, 5 of 5 after");
    }

    @Test
    void growthThatNoiseMayExplainIsInconclusive() {
        ComparisonSide before = StatisticsTest.side(1_000, 1_900, 500);
        assertThat(outcome(before, StatisticsTest.side(1_300, 2_100, 900), "p50<+10%"))
                .isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(outcome(StatisticsTest.side(1_000), StatisticsTest.side(9_000), "p50<+10%"))
                .isEqualTo(Outcome.INCONCLUSIVE);
    }

    /** Was "PASS ... noise 18997 %". */
    @Test
    void aGateWithoutPowerNeverPasses() {
        ComparisonSide before = StatisticsTest.side(1_000, 90_000, 30_000);
        Gate.Check check =
                Gate.check(before, before, Allowance.parse("p50<+10%")).get(0);
        assertThat(check.outcome()).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(check.lacksPower()).isTrue();
        assertThat(GateReport.text(check))
                .contains("+0.0 %, noise x ", ", detects growth from x ")
                .endsWith("; growth beyond the allowance may be hidden: measure more trials");
    }

    @Test
    void gatePassesDetectableGrowth() {
        Gate.Check check = Gate.check(FIVE, FIVE, Allowance.parse("p50<+10%")).get(0);
        assertThat(check.outcome()).isEqualTo(Outcome.PASS);
        assertThat(check.difference().seen()).isBetween(0.01, 0.05);
        assertThat(GateReport.text(check)).contains(", detects growth from +");
        assertThat(outcome(FIVE, FIVE, "p50<+1%")).isEqualTo(Outcome.INCONCLUSIVE);
    }

    @Test
    void eachRowHasItsOwnPower() {
        List<Sample> quiet =
                StatisticsTest.side(350, 352, 348, 351, 349).series().get("plain");
        List<Sample> slower =
                StatisticsTest.side(1_800, 1_790, 1_810, 1_805, 1_795).series().get("plain");
        List<Sample> noisy =
                StatisticsTest.side(900, 905, 64_000, 910, 7_000).series().get("plain");
        List<Gate.Check> checks = Gate.check(
                StatisticsTest.side(Map.of("plain", quiet, "filing", noisy)),
                StatisticsTest.side(Map.of("plain", slower, "filing", noisy)),
                Allowance.parse("p50<+10%"));
        assertThat(checks)
                .extracting(Gate.Check::series, Gate.Check::outcome)
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple("plain", Outcome.WORSE),
                        org.assertj.core.groups.Tuple.tuple("filing", Outcome.INCONCLUSIVE));
    }

    @Test
    void contraryOutlierNeedsMoreTrials() {
        ComparisonSide after = StatisticsTest.side(1_300, 1_310, 1_290, 1_305, 1_295);
        ComparisonSide slowOnce = StatisticsTest.side(1_000, 1_010, 990, 1_005, 9_000);
        Gate.Check check =
                Gate.check(slowOnce, after, Allowance.parse("p50<+10%")).get(0);
        assertThat(check.outcome()).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(check.trialsNeeded()).isEqualTo(7);
        assertThat(GateReport.text(check)).contains(", without an outlier: one before of 9.00 us; a machine with two");
        ComparisonSide slowAfter = StatisticsTest.side(1_300, 1_310, 1_290, 1_305, 9_000);
        assertThat(outcome(FIVE, slowAfter, "p50<+10%")).isEqualTo(Outcome.WORSE);
    }

    @Test
    void percentileWithFewSamplesDecidesNothing() {
        ComparisonSide same = StatisticsTest.side(1_000, 1_010, 990);
        assertThat(outcome(same, same, "p99.99<+10%")).isEqualTo(Outcome.INCONCLUSIVE);
    }

    @Test
    void unchangedBuildRarelyFailsOnNoisyMachine() {
        Random random = new Random(11);
        DoubleSupplier normal = () -> 0.2 * random.nextGaussian();
        DoubleSupplier stalls = () -> random.nextInt(5) == 0 ? 1.5 * random.nextDouble() : 0.05 * random.nextGaussian();
        assertThat(alarms(normal, "p50<+0%")).isLessThan(20);
        assertThat(alarms(stalls, "p50<+0%")).isLessThan(20);
        assertThat(alarms(normal, "p50<+10%,p99<+25%")).isLessThan(20);
        assertThat(alarms(stalls, "p50<+10%,p99<+25%")).isLessThan(20);
    }

    /** Of 2,000 runs of five trials against five of the same. */
    private static long alarms(DoubleSupplier logNoise, String allowed) {
        return IntStream.range(0, 2_000)
                .filter(run -> outcome(drawn(logNoise), drawn(logNoise), allowed) == Outcome.WORSE)
                .count();
    }

    private static ComparisonSide drawn(DoubleSupplier logNoise) {
        return StatisticsTest.side(LongStream.generate(() -> Math.round(1e6 * Math.exp(logNoise.getAsDouble())))
                .limit(5)
                .toArray());
    }

    @Test
    void doubledFigureIsFoundDespiteNoise() {
        Random random = new Random(12);
        DoubleSupplier noise = () -> 0.1 * random.nextGaussian();
        DoubleSupplier doubled = () -> Math.log(2) + 0.1 * random.nextGaussian();
        long found = IntStream.range(0, 500)
                .filter(run -> outcome(drawn(noise), drawn(doubled), "p50<+10%") == Outcome.WORSE)
                .count();
        assertThat(found).isGreaterThan(490);
    }

    private static final Delivery FAULTLESS = new Delivery(10, 10, 0, 0, 0, 0, 0, 0, List.of(), 0);

    private static ComparisonSide fiveAndOne(Delivery delivery, String... reasons) {
        List<Sample> samples = new ArrayList<>(FIVE.series().get("plain"));
        Verdict verdict = reasons.length == 0 ? Verdict.PASS : Verdict.FAIL;
        samples.add(
                StatisticsTest.sample(1_000, delivery, new dev.baton.lab.results.Outcome(verdict, List.of(reasons))));
        return StatisticsTest.side(Map.of("plain", samples));
    }

    @Test
    void faultyMessagesAreWorse() {
        for (Delivery delivery : List.of(
                new Delivery(10, 9, 1, 0, 0, 0, 0, 0, List.of(), 0),
                new Delivery(10, 10, 0, 0, 1, 0, 0, 0, List.of(), 0),
                new Delivery(10, 10, 0, 0, 0, 1, 0, 0, List.of(), 0),
                new Delivery(10, 10, 0, 0, 0, 0, 1, 0, List.of(), 0))) {
            ComparisonSide faulty = fiveAndOne(delivery, "1 message at fault");
            assertThat(outcome(FIVE, faulty, "p50<+10%")).isEqualTo(Outcome.WORSE);
            assertThat(outcome(faulty, fiveAndOne(FAULTLESS), "p50<+10%")).isEqualTo(Outcome.PASS);
            assertThat(outcome(faulty, faulty, "p50<+10%"))
                    .as("a baseline at fault proves nothing")
                    .isEqualTo(Outcome.INCONCLUSIVE);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "instance 3 stopped: java.lang.IllegalStateException: gone",
                "process 2: instance 1 stopped: x",
                "part 1 stopped: x",
                "the chain stopped: x"
            })
    void newStoppedChainIsWorse(String reason) {
        ComparisonSide stopped = fiveAndOne(FAULTLESS, reason);
        assertThat(outcome(FIVE, stopped, "p50<+10%")).isEqualTo(Outcome.WORSE);
        assertThat(outcome(stopped, stopped, "p50<+10%")).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(outcome(FIVE, fiveAndOne(FAULTLESS, "instance 3 broke p99<1ms"), "p50<+10%"))
                .isEqualTo(Outcome.PASS);
    }

    @Test
    void missingTrialsAreInconclusiveAndNamed() {
        ComparisonSide two = StatisticsTest.side(Map.of(
                "plain", FIVE.series().get("plain"), "filing", FIVE.series().get("plain")));
        assertThat(Gate.check(two, FIVE, Allowance.parse("p50<+10%")))
                .filteredOn(check -> check.series().equals("filing"))
                .singleElement()
                .satisfies(check -> assertThat(check.outcome()).isEqualTo(Outcome.INCONCLUSIVE));
        assertThat(outcome(FIVE, two, "p50<+10%")).isEqualTo(Outcome.PASS);
    }

    @Test
    void fewerTrialsThanBeforeAreInconclusive() {
        ComparisonSide three = StatisticsTest.side(1_000, 1_010, 990);
        assertThat(outcome(FIVE, three, "p50<+10%")).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(outcome(three, FIVE, "p50<+10%")).isEqualTo(Outcome.PASS);
    }

    @Test
    void allowancesAreReadAsTheyAreWritten() {
        assertThat(Allowance.parse("p99.9<+10%, p100 < +2.5 %"))
                .isEqualTo(List.of(new Allowance(99.9, 0.1), new Allowance(100, 0.025)));
        assertThat(Allowance.parse("p99.9<+10%").get(0)).hasToString("p99.9<+10%");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "p99", "p99<10%", "p99<+10", "p98<+10%", "p50<+10%,", "p50<-10%", "p1e3<+1%"})
    void invalidAllowanceIsRefusedWithSyntax(String text) {
        assertThatThrownBy(() -> Allowance.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("write pNN<+N%");
    }
}
