package dev.baton.lab.study.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The estimate against what is known, and the test against what chance brings forth. */
class SlopeTest {
    private static final int SERIES = 2_000;

    /** Points of a soak. */
    private static final int POINTS = 60;

    /** What a series without a trend may look like. */
    enum Noise {
        WHITE,
        /** A seventh of the points far off. */
        OUTLIERS,
        /** What is high stays high: 0.5 of it is left at the next point. */
        REMEMBERING,
        /** Grows and is given back, as files are that roll. */
        SAWTOOTH,
        /** Few different whole numbers. */
        COUNTS,
        /** Nothing at all. */
        FLAT
    }

    @Test
    void straightLineHasItsSlope() {
        Slope slope = Slope.of(values(POINTS, i -> 5 + 3 * i));
        assertThat(slope.perPoint()).isEqualTo(3);
        assertThat(slope.chance()).isLessThan(1e-9);
    }

    @Test
    void fallingSeriesDoesNotGrow() {
        Slope slope = Slope.of(values(POINTS, i -> -2 * i));
        assertThat(slope.perPoint()).isEqualTo(-2);
        assertThat(slope.chance()).isEqualTo(1);
    }

    @Test
    void constantOrShortSeriesDoesNotGrow() {
        assertThat(Slope.of(values(POINTS, i -> 7))).isEqualTo(new Slope(0, 1));
        assertThat(Slope.of(new double[] {1, 2, 3})).isEqualTo(new Slope(0, 1));
        assertThat(Slope.of(new double[0])).isEqualTo(new Slope(0, 1));
    }

    @Test
    void quarterOfPointsMayBeArbitrary() {
        Slope slope = Slope.of(values(POINTS, i -> i % 4 == 0 ? 1e6 * ((i / 4) % 2 == 0 ? 1 : -1) : 2 * i));
        assertThat(slope.perPoint()).isCloseTo(2, Offset.offset(0.2));
    }

    /** All orders of five values: Mann's table gives S of 10 in 1 of 120, of 8 or more in 5 of 120. */
    @Test
    void chanceOfFewPointsIsNearExact() {
        assertThat(Slope.of(new double[] {1, 2, 3, 4, 5}).chance()).isCloseTo(1 / 120.0, Offset.offset(0.006));
        assertThat(Slope.of(new double[] {1, 2, 3, 5, 4}).chance()).isCloseTo(5 / 120.0, Offset.offset(0.006));
    }

    @ParameterizedTest
    @CsvSource({"0, 0.5", "1, 0.1586553", "1.959964, 0.025", "3.090232, 0.001", "-1, 0.8413447"})
    void normalDistributionMatchesTables(double z, double above) {
        assertThat(Slope.upperTail(z)).isCloseTo(above, Offset.offset(1e-6));
    }

    /** Of significance alone, before anything is asked about how much. */
    @ParameterizedTest
    @EnumSource(Noise.class)
    void noiseRarelyLooksLikeGrowth(Noise noise) {
        Random random = new Random(20261121);
        long taken = IntStream.range(0, SERIES)
                .filter(i -> Slope.of(series(noise, random, 0)).chance() < TrendJudge.MOST_CHANCE)
                .count();
        assertThat(taken).as(noise.toString()).isLessThanOrEqualTo(SERIES / 100);
    }

    /** A growth over the whole series of six times the noise's standard deviation, outliers not counted. */
    @ParameterizedTest
    @EnumSource(
            value = Noise.class,
            names = {"FLAT"},
            mode = EnumSource.Mode.EXCLUDE)
    void aGrowthOfSixDeviationsIsFound(Noise noise) {
        Random random = new Random(7);
        long found = IntStream.range(0, SERIES)
                .filter(i -> Slope.of(series(noise, random, 6.0 / POINTS)).chance() < TrendJudge.MOST_CHANCE)
                .count();
        assertThat(found).as(noise.toString()).isGreaterThan(SERIES * 98 / 100);
    }

    static double[] series(Noise noise, Random random, double perPoint) {
        double[] values = new double[POINTS];
        double before = random.nextGaussian();
        double phase = random.nextInt(12);
        for (int i = 0; i < POINTS; i++) {
            double fresh = random.nextGaussian();
            before = 0.5 * before + Math.sqrt(0.75) * fresh;
            double value = switch (noise) {
                case WHITE -> fresh;
                case OUTLIERS -> random.nextInt(7) == 0 ? 20 * fresh : fresh;
                case REMEMBERING -> before;
                case SAWTOOTH -> (i + phase) % 12 / 12 * Math.sqrt(12) + 0.2 * fresh;
                case COUNTS -> Math.rint(fresh);
                case FLAT -> 0;
            };
            values[i] = value + perPoint * i;
        }
        return values;
    }

    private static double[] values(int count, DoubleUnaryOperator value) {
        return IntStream.range(0, count).mapToDouble(value::applyAsDouble).toArray();
    }
}
