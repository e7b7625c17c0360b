package dev.baton.lab.study.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.results.ResourceUsage;
import dev.baton.lab.results.Second;
import dev.baton.lab.study.soak.Quantity.Allowance;
import dev.baton.lab.study.soak.Trend.Judgement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is called a trend: certain, and large enough. */
@Tag("slow")
class TrendJudgeTest {
    private static final long HOUR = 3_600_000_000_000L;
    private static final double MEGA = 1 << 20;
    private static final int SECONDS = 3_600;
    private static final int POINTS = 60;
    private static final int SOAKS = 300;

    @Test
    void quietSoaksUsuallyPass() {
        Random random = new Random(11);
        long failed = IntStream.range(0, SOAKS)
                .filter(i -> judge(HOUR, noisySoak(random, 0)).stream()
                        .anyMatch(trend -> trend.judgement() == Judgement.GROWS))
                .count();
        assertThat(failed).isLessThanOrEqualTo(SOAKS / 100);
    }

    @Test
    void smallLeakInNoiseIsUsuallyFound() {
        Random random = new Random(12);
        long caught = IntStream.range(0, SOAKS)
                .filter(i -> trend(judge(HOUR, noisySoak(random, 30 * MEGA)), Quantity.HEAP)
                                .judgement()
                        == Judgement.GROWS)
                .count();
        assertThat(caught).isGreaterThanOrEqualTo(SOAKS * 99 / 100);
    }

    @Test
    void smallSignificantGrowthIsNoTrend() {
        List<Second> seconds = seconds(HOUR, i -> 100 * MEGA + i / 3_600.0 * 10 * MEGA, i -> 50);
        assertThat(trend(judge(HOUR, seconds), Quantity.HEAP).judgement()).isEqualTo(Judgement.STEADY);
        assertThat(trend(judge(HOUR, seconds), Quantity.HEAP).chance()).isLessThan(1e-6);
    }

    @Test
    void allowanceGrowsWithDuration() {
        assertThat(Allowance.bytes(3).over(1, 100 * MEGA)).isEqualTo(20 * MEGA);
        assertThat(Allowance.bytes(3).over(1, 1_000 * MEGA)).isEqualTo(50 * MEGA);
        assertThat(Allowance.bytes(3).over(0.25, 100 * MEGA)).isEqualTo(5 * MEGA);
        assertThat(Allowance.bytes(3).over(0.01, 100 * MEGA)).isEqualTo(3 * MEGA);
        assertThat(Allowance.none().over(100, 1_000)).isLessThan(1);
    }

    @Test
    void allowanceIsBoundedForLongSoaks() {
        for (Quantity quantity : Quantity.values()) {
            if (quantity != Quantity.DISK && quantity != Quantity.FILES) {
                assertThat(quantity.allowance.over(168, 100 * MEGA))
                        .as(quantity.words)
                        .isEqualTo(quantity.allowance.over(1, 100 * MEGA));
            }
        }
    }

    /** Half a byte per excerpt stays in a topic's index until its file rolls. */
    @Test
    void filesOfTopicsMayGrowForADay() {
        for (Quantity quantity : List.of(Quantity.DISK, Quantity.FILES)) {
            assertThat(quantity.allowance.over(12, 100 * MEGA)).isEqualTo(240 * MEGA);
            assertThat(quantity.allowance.over(168, 100 * MEGA)).isEqualTo(480 * MEGA);
        }
    }

    @Test
    void slowLeakIsFoundInLongSoak() {
        double perSecond = 10 * MEGA / 3_600;
        List<Second> seconds = seconds(12 * HOUR, i -> 100 * MEGA + i * perSecond, i -> 50);
        assertThat(trend(judge(12 * HOUR, seconds), Quantity.HEAP).judgement()).isEqualTo(Judgement.GROWS);
    }

    @Test
    void diskThatMayGrowNeedsNoLongerSoak() {
        Trend disk = trend(
                new TrendJudge(HOUR, 0.0, Map.of(Quantity.DISK, "kept"))
                        .judge(noisySoak(new Random(1), 0).subList(0, 300)),
                Quantity.DISK);
        assertThat(disk.judgement()).isEqualTo(Judgement.NOT_JUDGED);
        assertThat(disk.remark()).isEqualTo("kept");
    }

    @Test
    void everyDescriptorCounts() {
        List<Second> seconds = seconds(HOUR, i -> MEGA, i -> 50 + i / 600);
        Trend descriptors = trend(judge(HOUR, seconds), Quantity.DESCRIPTORS);
        assertThat(descriptors.judgement()).isEqualTo(Judgement.GROWS);
        assertThat(descriptors.grown()).isBetween(4.0, 7.0);
    }

    @Test
    void oneStepIsNoGrowth() {
        List<Second> seconds = seconds(HOUR, i -> i < 400 ? 100 * MEGA : 200 * MEGA, i -> i < 400 ? 50 : 60);
        assertThat(judge(HOUR, seconds)).noneMatch(trend -> trend.judgement() == Judgement.GROWS);
    }

    @Test
    void latencyDriftIsDoubtfulOnBusyMachine() {
        List<Second> seconds = new ArrayList<>();
        for (int i = 0; i < SECONDS; i++) {
            seconds.add(second(i, 1_000_000L + 1_000L * i, null));
        }
        assertThat(trend(new TrendJudge(HOUR, 0.05, Map.of()).judge(seconds), Quantity.MEDIAN)
                        .judgement())
                .isEqualTo(Judgement.GROWS);
        Trend doubtful = trend(new TrendJudge(HOUR, 0.7, Map.of()).judge(seconds), Quantity.MEDIAN);
        assertThat(doubtful.judgement()).isEqualTo(Judgement.DOUBTFUL);
        assertThat(doubtful.remark()).contains("0.7 cores");
    }

    @Test
    void unmeasuredOrExemptQuantitiesAreNotJudged() {
        List<Second> seconds = seconds(HOUR, i -> MEGA, i -> 1);
        assertThat(trend(judge(HOUR, seconds), Quantity.DISK).judgement()).isEqualTo(Judgement.NOT_JUDGED);
        assertThat(trend(judge(HOUR, seconds), Quantity.DISK).remark()).isEqualTo("not measured here");
        assertThat(trend(judge(HOUR, seconds.subList(0, 300)), Quantity.HEAP).remark())
                .contains("run longer");
    }

    @Test
    void tenthsAreMediansInTheirOrder() {
        Trend heap = trend(judge(HOUR, seconds(HOUR, i -> (double) (i / 360), i -> 1)), Quantity.HEAP);
        assertThat(heap.tenths()).containsExactly(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0);
    }

    private static List<Trend> judge(long nanos, List<Second> seconds) {
        return new TrendJudge(nanos, 0.0, Map.of()).judge(seconds);
    }

    private static Trend trend(List<Trend> trends, Quantity quantity) {
        return trends.stream()
                .filter(each -> each.quantity().equals(quantity.words))
                .findFirst()
                .orElseThrow();
    }

    /** Everything goes up and down; the heap may grow besides. */
    private static List<Second> noisySoak(Random random, double grown) {
        List<Second> seconds = new ArrayList<>();
        double drift = 0;
        for (int i = 0; i < SECONDS; i++) {
            drift = 0.9 * drift + random.nextGaussian();
            boolean isPoint = i % (SECONDS / POINTS) == 0;
            ResourceUsage held = isPoint
                    ? new ResourceUsage(
                            bytes(400, 5 * random.nextGaussian()),
                            bytes(100, 20 * ((i + 100) % 300) / 300.0),
                            bytes(50, random.nextGaussian() + grown / MEGA * i / SECONDS),
                            bytes(1, 0),
                            1_200L + random.nextInt(3),
                            3_000L + random.nextInt(200),
                            20L + (random.nextInt(10) == 0 ? 1 : 0),
                            bytes(200, 50 * ((i + 50) % 300) / 300.0),
                            0L)
                    : null;
            seconds.add(second(i, Math.round(1_000_000 * Math.exp(0.1 * drift)), held));
        }
        return seconds;
    }

    private static long bytes(double megabytes, double more) {
        return (long) ((megabytes + more) * MEGA);
    }

    private static List<Second> seconds(long nanos, IntToDoubleFunction heap, IntToDoubleFunction descriptors) {
        List<Second> seconds = new ArrayList<>();
        for (int i = 0; i < nanos / 1_000_000_000L; i++) {
            ResourceUsage held = i % (SECONDS / POINTS) == 0
                    ? new ResourceUsage(
                            null,
                            null,
                            (long) heap.applyAsDouble(i),
                            null,
                            (long) descriptors.applyAsDouble(i),
                            null,
                            null,
                            null,
                            null)
                    : null;
            seconds.add(second(i, 1_000_000, held));
        }
        return seconds;
    }

    private static Second second(int at, long p50Nanos, ResourceUsage held) {
        return new Second(
                (at + 1) * 1_000_000_000L, 1, 1, p50Nanos, 3_000_000L, 4_000_000L, 0.5, null, 0.0, 0.3, 1L, 1L, held);
    }
}
