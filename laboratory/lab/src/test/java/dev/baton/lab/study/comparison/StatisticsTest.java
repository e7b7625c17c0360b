package dev.baton.lab.study.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FixedResults;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.study.comparison.Difference.Word;
import dev.baton.measuring.statistics.Outlier;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What is called a difference. */
class StatisticsTest {
    private static final TrialPlan PLAN = new TrialPlan(
            "plain",
            new Subject(Subject.BATON, "plain", Map.of()),
            new Shape(5, 1, 0),
            new Load(1_000, Load.Arrivals.EVEN, 1),
            new LoopPlan("cooperative:1", null, 0),
            new Phases(1_000_000, 1_000_000, 0),
            List.of());

    static ComparisonSide side(long... p50Nanos) {
        List<Sample> samples = LongStream.of(p50Nanos)
                .mapToObj(nanos -> sample(
                        nanos,
                        new Delivery(10, 10, 0, 0, 0, 0, 0, 0, List.of(), 0),
                        new Outcome(Verdict.PASS, List.of())))
                .toList();
        return side(Map.of("plain", samples));
    }

    static ComparisonSide side(Map<String, List<Sample>> series) {
        return new ComparisonSide(Path.of("x"), null, series, List.of());
    }

    static Sample sample(long p50Nanos, Delivery delivery, Outcome outcome) {
        return new Sample(FixedResults.result(PLAN, p50Nanos, delivery, outcome), List.of());
    }

    private static Difference median(ComparisonSide before, ComparisonSide after) {
        return new Statistics(before.series().get("plain"), after.series().get("plain"))
                .differences()
                .get(0);
    }

    @Test
    void differenceBeyondNoiseIsFound() {
        Difference difference = median(side(1_000, 1_010, 990), side(1_300, 1_290, 1_310));
        assertThat(difference.percentile()).isEqualTo(50);
        assertThat(difference.word()).isEqualTo(Word.SLOWER);
        assertThat(difference.change()).isBetween(0.28, 0.32);
        assertThat(difference.margin()).isBetween(0.01, 0.05);
        assertThat(median(side(1_300, 1_290, 1_310), side(1_000, 1_010, 990)).word())
                .isEqualTo(Word.FASTER);
    }

    @Test
    void aDifferenceWithinTheNoiseIsNone() {
        assertThat(median(side(1_000, 1_400, 800), side(1_300, 900, 1_500)).word())
                .isEqualTo(Word.SAME);
    }

    @Test
    void singleTrialsAreUnknown() {
        Difference difference = median(side(1_000), side(9_000));
        assertThat(difference.word()).isEqualTo(Word.UNKNOWN);
        assertThat(difference.margin()).isInfinite();
    }

    @Test
    void sideWithoutRepetitionsSharesNoise() {
        assertThat(median(side(1_000, 1_010, 990), side(2_000)).word()).isEqualTo(Word.SLOWER);
        assertThat(median(side(1_000, 3_000, 500), side(2_000)).word()).isEqualTo(Word.SAME);
    }

    /** Two-sided at 95 %: one in twenty, and these 1,000 draws scatter by 0.7 %. */
    @Test
    void equalSidesDifferOnceInTwentyTimes() {
        Random random = new Random(7);
        long wrong = IntStream.range(0, 1_000)
                .filter(i -> median(drawn(random), drawn(random)).word() != Word.SAME)
                .count();
        assertThat(wrong).isBetween(15L, 75L);
    }

    private static ComparisonSide drawn(Random random) {
        return drawn(random, 3, 0);
    }

    /** Case in which noise pooled over both rows hid the difference: noise x 18. */
    @Test
    void noiseIsPerRow() {
        ComparisonSide before =
                StatisticsTest.side(Map.of("plain", samples(350, 352, 348), "filing", samples(900, 905, 64_000)));
        ComparisonSide after =
                StatisticsTest.side(Map.of("plain", samples(1_800, 1_790, 1_810), "filing", samples(910, 900, 905)));
        assertThat(median(before, after).word()).isEqualTo(Word.SLOWER);
        assertThat(median(before, after).margin()).isLessThan(0.1);
    }

    @Test
    void oneOutlierIsSetAsideAndNamed() {
        Difference difference = median(side(350, 352, 348, 351, 40_000), side(1_800, 1_790, 1_810, 1_805, 1_795));
        assertThat(difference.word()).isEqualTo(Word.SLOWER);
        assertThat(difference.asideBefore()).isEqualTo(40_000);
        assertThat(difference.asideAfter()).isNull();
        assertThat(difference.contrary()).isEqualTo(1);
        assertThat(difference.before().most()).as("the range shows it").isEqualTo(40_000);
    }

    @Test
    void twoBadTrialsOfASideAreNoise() {
        Difference difference = median(side(350, 352, 348, 38_000, 40_000), side(1_800, 1_790, 1_810, 1_805, 1_795));
        assertThat(difference.word()).isEqualTo(Word.SAME);
        assertThat(difference.asideBefore()).isNull();
        assertThat(difference.seen()).isGreaterThan(10);
    }

    @Test
    void outliersAreRareInNormalSets() {
        Random random = new Random(9);
        for (int trials : new int[] {3, 4, 5, 10}) {
            long found = IntStream.range(0, 5_000)
                    .filter(i -> Outlier.indexIn(
                                    IntStream.range(0, trials)
                                            .mapToDouble(each -> random.nextGaussian())
                                            .toArray(),
                                    0)
                            >= 0)
                    .count();
            assertThat(found).as(trials + " trials").isBetween(25L, 75L);
        }
        assertThat(Outlier.indexIn(new double[] {1, 9}, 0)).isEqualTo(-1);
        assertThat(Outlier.indexIn(new double[] {1, 1, 1, 1, 1}, 0)).isEqualTo(-1);
    }

    /** A change of the size that was to be seen is found in four of five draws. */
    @Test
    void detectableChangeIsFoundInFourOfFive() {
        Random random = new Random(8);
        double seen = IntStream.range(0, 2_000)
                .mapToDouble(i -> Math.log1p(
                        median(drawn(random, 5, 0), drawn(random, 5, 0)).seen()))
                .average()
                .orElseThrow();
        long found = IntStream.range(0, 2_000)
                .filter(i -> median(drawn(random, 5, 0), drawn(random, 5, seen)).word() == Word.SLOWER)
                .count();
        assertThat(found / 2_000.0).isBetween(0.75, 0.88);
    }

    private static ComparisonSide drawn(Random random, int trials, double slower) {
        return side(LongStream.generate(() -> Math.round(1e6 * Math.exp(slower + 0.1 * random.nextGaussian())))
                .limit(trials)
                .toArray());
    }

    private static List<Sample> samples(long... p50Nanos) {
        return side(p50Nanos).series().get("plain");
    }
}
