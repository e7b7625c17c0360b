package dev.baton.lab.study.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.study.load.LoadFindings.Bar;
import dev.baton.measuring.data.Percentile;
import java.util.List;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class DistributionTest {
    private final Histogram histogram = new Histogram(3_600_000_000_000L, 3);

    @Test
    void everyRequestIsInExactlyOneBar() {
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            histogram.recordValue((long) Math.exp(8 + 3 * random.nextGaussian()));
        }
        List<Bar> bars = Distribution.bars(histogram);
        assertThat(bars.stream().mapToLong(Bar::count).sum()).isEqualTo(100_000);
        for (int i = 1; i < bars.size(); i++) {
            assertThat(bars.get(i).fromNanos()).isEqualTo(bars.get(i - 1).toNanos() + 1);
        }
        for (Bar bar : bars) {
            assertThat(bar.count()).isNotNegative();
        }
        assertThat(bars.get(bars.size() - 1).toNanos()).isGreaterThanOrEqualTo(histogram.getMaxValue());
    }

    @Test
    void equalRequestsAreOneBar() {
        histogram.recordValueWithCount(5_000, 77);
        List<Bar> bars = Distribution.bars(histogram);
        assertThat(bars.stream().mapToLong(Bar::count).sum()).isEqualTo(77);
        assertThat(bars.stream().filter(bar -> bar.count() > 0)).hasSize(1);
    }

    @Test
    void noRequestsHaveNoBars() {
        assertThat(Distribution.bars(histogram)).isEmpty();
        assertThat(Distribution.shares(histogram, 1)).isEmpty();
    }

    @Test
    void sharesThatRestOnTooLittleAreGrey() {
        for (int i = 1; i <= 1_000; i++) {
            histogram.recordValue(i * 1_000L);
        }
        List<Percentile> shares = Distribution.shares(histogram, 1_000_000_000L);
        assertThat(shares).extracting(Percentile::percentile).containsExactly(10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0);
        assertThat(shares.get(2).nanos()).isBetween(500_000L, 501_000L);
        assertThat(shares.get(4).hasFewSamples()).isFalse();
        assertThat(shares.get(5).hasFewSamples()).isTrue();
        assertThat(shares.get(6).runForNanos()).isEqualTo(10_000_000_000L);
    }
}
