package dev.baton.measuring.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** What the seconds of a trial tell of its percentiles. */
class BlockBootstrapTest {
    private static Histogram second(long... values) {
        Histogram histogram = new Histogram(3);
        for (long value : values) {
            histogram.recordValue(value);
        }
        return histogram;
    }

    @Test
    void secondsThatAreAllAlikeDoNotScatter() {
        List<Histogram> seconds =
                IntStream.range(0, 20).mapToObj(i -> second(100, 200, 300)).toList();
        assertThat(new BlockBootstrap(seconds).logVariances(new double[] {50, 100}, 1))
                .containsExactly(0, 0);
    }

    @Test
    void singleBadSecondScattersOnlyTheMaximum() {
        List<Histogram> seconds = IntStream.range(0, 40)
                .mapToObj(i -> i == 20 ? second(100, 100, 100_000) : second(100, 100, 100))
                .toList();
        double[] variances = new BlockBootstrap(seconds).logVariances(new double[] {50, 100}, 1);
        assertThat(variances[0]).isZero();
        assertThat(variances[1]).isGreaterThan(1);
    }

    @Test
    void medianScattersLikeIndependentSeconds() {
        // The median of 1,000 exponential values scatters by 1/sqrt(1000)/ln 2 of itself; seconds are independent here.
        Random random = new Random(1);
        List<Histogram> seconds = IntStream.range(0, 100)
                .mapToObj(i -> second(random.doubles(10)
                        .mapToLong(u -> 1 + (long) (-1e6 * Math.log(1 - u)))
                        .toArray()))
                .toList();
        double scatter = Math.sqrt(new BlockBootstrap(seconds).logVariances(new double[] {50}, 2)[0]);
        assertThat(scatter).isBetween(0.03, 0.065); // 0.0456 expected
    }

    @Test
    void tooFewSecondsGiveNoVariance() {
        assertThat(new BlockBootstrap(List.of(second(1), second(2))).logVariances(new double[] {50}, 1))
                .containsExactly(Double.NaN);
    }
}
