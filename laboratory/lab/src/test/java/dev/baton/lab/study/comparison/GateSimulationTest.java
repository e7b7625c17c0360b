package dev.baton.lab.study.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.baton.lab.study.comparison.Gate.Outcome;
import dev.baton.measuring.statistics.TwoSpeeds;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How often a gate is wrong, and how often it finds what is there, over thousands of builds that are drawn. */
@Tag("long")
class GateSimulationTest {
    private static final int RUNS = 4_000;

    /** What starts of the same build may differ by on a noisy machine: draws of the logarithm of a percentile. */
    enum Noise {
        /** A fifth up or down. */
        WIDE {
            @Override
            double draw(Random random) {
                return 0.2 * random.nextGaussian();
            }
        },
        /** Every fifth trial is held up, up to 4.5 times as long. */
        STALLS {
            @Override
            double draw(Random random) {
                return random.nextInt(5) == 0 ? 1.5 * random.nextDouble() : 0.05 * random.nextGaussian();
            }
        },
        /** Student's t with two degrees of freedom: the variance is infinite. */
        HEAVY {
            @Override
            double draw(Random random) {
                double chi = -2 * Math.log(1 - random.nextDouble());
                return 0.05 * random.nextGaussian() / Math.sqrt(chi / 2);
            }
        },
        /** Stolen time on top, by Pareto's law with an exponent of 1.2: now and then a hundred times the usual. */
        PARETO {
            @Override
            double draw(Random random) {
                double stolen = 0.02 * (Math.pow(1 - random.nextDouble(), -1 / 1.2) - 1);
                return 0.03 * random.nextGaussian() + Math.log1p(stolen);
            }
        },
        /** Every fourth start runs 2.8 times slower, as was seen. */
        SLOW_STARTS {
            @Override
            double draw(Random random) {
                return (random.nextInt(4) == 0 ? 1.03 : 0) + 0.03 * random.nextGaussian();
            }
        },
        /** Every second one: the worst case of {@link TwoSpeeds} for sides of the same size. */
        TWO_SPEEDS {
            @Override
            double draw(Random random) {
                return (random.nextBoolean() ? 1.03 : 0) + 0.03 * random.nextGaussian();
            }
        };

        abstract double draw(Random random);
    }

    private static ComparisonSide side(int trials, Noise noise, double slower, Random random) {
        return StatisticsTest.side(LongStream.generate(() ->
                        Math.round(1e6 * slower * Math.exp(Math.max(-10, Math.min(20, noise.draw(random))))))
                .limit(trials)
                .toArray());
    }

    private static double worse(Noise noise, int before, int after, double slower, String allowed, long seed) {
        Random random = new Random(seed);
        List<Allowance> allowances = Allowance.parse(allowed);
        long worse = IntStream.range(0, RUNS)
                .filter(run -> Gate.worst(Gate.check(
                                side(before, noise, 1, random), side(after, noise, slower, random), allowances))
                        == Outcome.WORSE)
                .count();
        return worse / (double) RUNS;
    }

    /** One in a hundred is promised when nothing may grow; these draws scatter by 0.16 %. */
    @ParameterizedTest
    @EnumSource(Noise.class)
    void unchangedBuildRarelyFails(Noise noise) {
        assertThat(worse(noise, 5, 5, 1, "p50<+0%", 1)).as("5 against 5").isLessThan(0.01);
        assertThat(worse(noise, 5, 5, 1, "p50<+0%,p99<+0%", 2)).as("two checks").isLessThan(0.01);
        assertThat(worse(noise, 3, 5, 1, "p50<+0%", 3)).as("3 against 5").isLessThan(0.01);
        assertThat(worse(noise, 2, 2, 1, "p50<+0%", 4)).as("2 against 2").isLessThan(0.01);
        assertThat(worse(noise, 1, 9, 1, "p50<+0%", 5)).as("1 against 9").isLessThan(0.01);
        assertThat(worse(noise, 7, 7, 1, "p50<+0%", 7)).as("7 against 7").isLessThan(0.01);
        assertThat(worse(noise, 5, 5, 1, "p50<+10%,p99<+25%", 6))
                .as("the default")
                .isLessThan(0.01);
    }

    /**
     * What is found of a build that takes a fifth longer: nearly always where trials differ by 3 %, and with ten of each
     * where they differ by 5 %.
     */
    @ParameterizedTest
    @CsvSource({
        // noise, trials of each, allowed,  power at least
        "0.03,    5,              p50<+0%,  0.99",
        "0.03,    5,              p50<+5%,  0.98",
        "0.03,    5,              p50<+10%, 0.70",
        "0.03,    10,             p50<+10%, 0.98",
        "0.05,    5,              p50<+0%,  0.93",
        "0.05,    10,             p50<+5%,  0.98",
        "0.05,    10,             p50<+10%, 0.70",
        "0.10,    10,             p50<+0%,  0.80",
    })
    void buildSlowerByAFifthIsFound(double noise, int trials, String allowed, double power) {
        Random random = new Random(20);
        List<Allowance> allowances = Allowance.parse(allowed);
        long found = IntStream.range(0, RUNS)
                .filter(run -> Gate.worst(Gate.check(
                                normal(trials, noise, 1, random), normal(trials, noise, 1.2, random), allowances))
                        == Outcome.WORSE)
                .count();
        assertThat(found / (double) RUNS).isGreaterThan(power);
    }

    private static ComparisonSide normal(int trials, double noise, double slower, Random random) {
        return StatisticsTest.side(LongStream.generate(
                        () -> Math.round(1e6 * slower * Math.exp(noise * random.nextGaussian())))
                .limit(trials)
                .toArray());
    }

    @Test
    void riskOfTwoSpeedsIsTheWorst() {
        for (int before = 1; before <= 6; before++) {
            for (int after = 1; after <= 6; after++) {
                double worst = 0;
                for (double slow = 0.001; slow < 1; slow += 0.001) {
                    worst = Math.max(worst, Math.pow(1 - slow, before) * Math.pow(slow, after));
                }
                assertThat(TwoSpeeds.risk(before, after)).isCloseTo(worst, withinPercentage(0.1));
            }
        }
        assertThat(TwoSpeeds.risk(5, 5)).isEqualTo(Math.pow(2, -10));
    }

    /** Misfits of 12 trials of which each is one with 1/2: 0 or 1 of them in 13 of 4,096 runs. */
    @Test
    void trialsThatWereSetAsideAddTheirRisk() {
        assertThat(TwoSpeeds.risk(6, 6, 0)).isEqualTo(TwoSpeeds.risk(6, 6));
        assertThat(TwoSpeeds.risk(6, 6, 1)).isCloseTo(13 / 4_096.0, withinPercentage(0.1));
        assertThat(TwoSpeeds.risk(6, 6, 2)).isCloseTo((13 + 66) / 4_096.0, withinPercentage(0.1));
        assertThat(TwoSpeeds.trialsNeeded(5, 1, 1, 0.005, 100)).isEqualTo(7);
        assertThat(TwoSpeeds.trialsNeeded(1, 1, 1, 0.005, 100)).isEqualTo(101);
    }

    @Test
    void moreChecksNeedMoreTrials() {
        assertThat(TwoSpeeds.trialsNeeded(5, 2, 0, 0.005, 100)).isEqualTo(4);
        assertThat(TwoSpeeds.trialsNeeded(5, 5, 0, 0.005, 100)).isEqualTo(5);
        assertThat(TwoSpeeds.trialsNeeded(5, 20, 0, 0.005, 100)).isEqualTo(8);
        assertThat(TwoSpeeds.trialsNeeded(1, 1, 0, 0.005, 20)).isEqualTo(21);
    }

    @Test
    void tooFewTrialsReportTheNumberNeeded() {
        ComparisonSide before = StatisticsTest.side(1_000, 1_010, 990);
        ComparisonSide after = StatisticsTest.side(3_000, 3_010, 2_990);
        Gate.Check check =
                Gate.check(before, after, Allowance.parse("p50<+10%")).get(0);
        assertThat(check.outcome()).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(check.trialsNeeded()).isEqualTo(6);
        assertThat(Gate.trials(before, Allowance.parse("p50<+10%"))).isEqualTo(6);
    }
}
