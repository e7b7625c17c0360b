package dev.baton.lab.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FixedResults;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.reporting.Figure;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.settings.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a matrix calls a difference. */
class ComparisonTest {
    private static final PlannedTrial FIRST = ScheduleTest.trial(false);

    private static Series series(String name, long... p50Nanos) {
        return over("disruptor", name, p50Nanos);
    }

    private static Series over(String transport, String name, long... p50Nanos) {
        PlannedTrial trial = name.startsWith("a") ? FIRST : ScheduleTest.trial(false);
        TrialPlan plan = trial.plan().about(new Subject(Subject.BATON, transport, Map.of()));
        List<TrialResult> results = LongStream.of(p50Nanos)
                .mapToObj(nanos -> FixedResults.result(
                        plan,
                        nanos,
                        new Delivery(10, 10, 0, 0, 0, 0, 0, 0, List.of(), 0),
                        new Outcome(Verdict.PASS, List.of())))
                .toList();
        return new Series(Variant.of(name, trial), results, List.of());
    }

    private static Comparison of(Boolean isLessBetter, Series... series) {
        List<Series> all = new ArrayList<>(List.of(series));
        Figure median = Figure.response(50);
        return Comparison.of(
                all, new Figure("p50", median.value(), median.text(), isLessBetter, median.hasFewSamples()));
    }

    @Test
    void bestIsLeastOrGreatestMedian() {
        Series[] all = {series("a", 20, 10, 90), series("b", 30, 30, 30), series("a (again)", 20, 20, 20)};
        assertThat(of(true, all).isBest(0)).isTrue();
        assertThat(of(false, all).isBest(1)).isTrue();
        assertThat(of(null, all).isBest(0)).isFalse();
        assertThat(of(null, all).isAsGoodAsBest(0)).isFalse();
    }

    @Test
    void matrixWithoutResultsNamesNoBest() {
        assertThat(MatrixReport.of(List.of(series("a"), series("b")), List.of(Figure.response(50)))
                        .headline("which?")
                        .answers())
                .containsExactly("No figure has enough samples to name a best variant.");
    }

    @Test
    void differenceBeyondNoiseCounts() {
        Comparison comparison =
                of(true, series("a", 100, 101, 102), series("b", 120, 121, 122), series("a (again)", 99, 100, 101));
        assertThat(comparison.noise()).isBetween(0.029, 0.031);
        assertThat(comparison.isBest(2)).isTrue();
        assertThat(comparison.isAsGoodAsBest(1)).isFalse();
        assertThat(comparison.isAsGoodAsBest(0)).isTrue();
    }

    @Test
    void differenceWithinNoiseDoesNotCount() {
        Comparison comparison =
                of(true, series("a", 100, 130, 102), series("b", 131, 132, 133), series("a (again)", 99, 100, 101));
        assertThat(comparison.isAsGoodAsBest(1)).isTrue();
    }

    @Test
    void overlappingRangesAreNotDistinguished() {
        Comparison comparison =
                of(true, series("a", 100, 100, 100), series("b", 100, 150, 150), series("a (again)", 100, 100, 101));
        assertThat(comparison.isAsGoodAsBest(1)).isTrue();
    }

    @Test
    void differentGuaranteesAreNotRanked() {
        Comparison comparison = of(
                true,
                series("a", 100, 100, 100),
                over("kafka", "k", 900, 900, 900),
                over("kafka", "l", 990, 990, 990),
                series("a (again)", 101, 101, 101));
        assertThat(comparison.best()).containsExactly(0, 1, 1, 0);
        assertThat(comparison.isBest(1)).as("the better of those over a broker").isTrue();
        assertThat(comparison.isAsGoodAsBest(2)).isFalse();
    }

    @Test
    void tooFewIdenticalTrialsDistinguishNothing() {
        Comparison comparison = of(true, series("a", 100), series("b", 500), series("a (again)", 100));
        assertThat(comparison.noise()).isInfinite();
        assertThat(comparison.isAsGoodAsBest(1)).isTrue();
    }

    @Test
    void variantWithoutResultHasNoFigure() {
        Comparison comparison = of(true, series("a", 100, 100), series("b"), series("a (again)", 100, 100));
        assertThat(comparison.spreads().get(1)).isNull();
        assertThat(comparison.isAsGoodAsBest(1)).isFalse();
    }
}
