package dev.baton.measuring.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.measuring.data.Latency;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class PercentilesTest {
    @Test
    void percentileWithFewSamplesIsGrey() {
        assertThat(Percentiles.samplesAbove(99.99, 24_000)).isEqualTo(2);
        assertThat(Percentiles.hasFewSamples(99.99, 24_000)).isTrue();
        assertThat(Percentiles.samplesAbove(99.9, 100_000)).isEqualTo(100);
        assertThat(Percentiles.hasFewSamples(99.9, 100_000)).isFalse();
        assertThat(Percentiles.hasFewSamples(99.9, 99_999)).isTrue();
        assertThat(Percentiles.hasFewSamples(50, 200)).isFalse();
    }

    @Test
    void durationForEnoughSamplesIsReported() {
        assertThat(Percentiles.runForNanos(99.9, 1_000)).isEqualTo(100_000_000_000L);
        assertThat(Percentiles.runForNanos(99.99, 1_000)).isEqualTo(1_000_000_000_000L);
        assertThat(Percentiles.runForNanos(99.9, 10_000)).isEqualTo(10_000_000_000L);
    }

    @Test
    void backlogDoesNotGrowWithTheDuration() {
        Histogram values = new Histogram(3);
        values.recordValueWithCount(1_000, 12_000);

        // 2,000 in 2 s besides the backlog of 10,000; 100,000 are needed
        assertThat(Percentiles.of(values, 0, 1, 2_000_000_000L, 1_000, 10_000)
                        .at(99.9)
                        .runForNanos())
                .isEqualTo(90_000_000_000L);
    }

    @Test
    void emptyHistogramReportsOnlyTheDuration() {
        Latency empty = Percentiles.of(new Histogram(3), 0, 1, 0, 1_000);

        assertThat(empty.maxNanos()).isNull();
        assertThat(empty.at(99.9).nanos()).isNull();
        assertThat(empty.at(99.9).runForNanos()).isEqualTo(100_000_000_000L);
    }

    @Test
    void percentilesOfMergedHistogramsAreNotTheirAverage() {
        Histogram quick = new Histogram(3);
        Histogram slow = new Histogram(3);
        for (int i = 1; i <= 100_000; i++) {
            quick.recordValue(1_000);
            slow.recordValue(i <= 99_000 ? 1_000 : 1_000_000);
        }
        Histogram merged = new Histogram(3);
        merged.add(quick);
        merged.add(slow);

        long average = (quick.getValueAtPercentile(99.9) + slow.getValueAtPercentile(99.9)) / 2;
        assertThat(average).isBetween(499_000L, 502_000L);
        assertThat(Percentiles.of(merged, 0, 1, 1, 1).at(99.9).nanos()).isBetween(1_000_000L, 1_001_000L);
    }
}
