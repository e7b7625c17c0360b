package dev.baton.lab.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FixedResults;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.terminal.Terminal;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class GuaranteeCostTest {
    private static final PlannedTrial TRIAL = ScheduleTest.trial(false);
    private static final Series REFERENCE = series("disruptor-reference-cooperative", 10_000, 11_000);
    private static final Series AGAIN = series("disruptor (again)", 15_000, 16_500);

    private static Series series(String name, long... p50Nanos) {
        List<TrialResult> results = LongStream.of(p50Nanos)
                .mapToObj(nanos -> FixedResults.result(
                        TRIAL.plan(),
                        nanos,
                        new Delivery(10, 10, 0, 0, 0, 0, 0, 0, List.of(), 0),
                        new Outcome(Verdict.PASS, List.of())))
                .toList();
        return new Series(Variant.of(name, TRIAL), results, List.of());
    }

    @Test
    void batonIsPairedWithItsReference() {
        List<GuaranteeCost> costs = GuaranteeCost.of(
                List.of(series("disruptor", 15_000, 16_500), series("aeron", 20_000), REFERENCE, AGAIN));

        assertThat(costs).singleElement().satisfies(cost -> {
            assertThat(cost.name()).isEqualTo("disruptor");
            GuaranteeCost.Ratio median = cost.ratios().get(1);
            assertThat(median.ratio()).isBetween(1.49, 1.51);
            assertThat(median.least()).isBetween(1.0, 1.5);
            assertThat(median.most()).isGreaterThan(1.5);
        });
    }

    @Test
    void intervalAgreesWithWelch() {
        // by hand: difference of the means of the logarithms 0.2127, standard error 0.0652, 2.539 degrees of freedom, t
        // 3.535
        GuaranteeCost.Ratio ratio = GuaranteeCost.Ratio.of(List.of(12.0, 13.0, 14.0), List.of(10.0, 11.0), false);

        assertThat(ratio).hasToString("1.24 [0.98 .. 1.56]");
    }

    @Test
    void oneTrialHasNoInterval() {
        assertThat(GuaranteeCost.Ratio.of(List.of(12.0), List.of(10.0), false)).hasToString("1.20 [too few trials]");
    }

    @Test
    void reportShowsTheCostOnlyBesideTheReference() {
        Series baton = series("disruptor", 15_000, 16_500);
        assertThat(report(baton, REFERENCE, AGAIN)).contains("the cost of Baton's guarantees", "1.50 [");
        assertThat(report(baton, AGAIN)).doesNotContain("the cost of Baton's guarantees");
    }

    private static String report(Series... all) {
        return String.join(
                "\n",
                MatrixReport.of(List.of(all), GuaranteeCost.FIGURES)
                        .lines("title", Path.of("folder"), new Terminal(false, false, 100, false)));
    }
}
