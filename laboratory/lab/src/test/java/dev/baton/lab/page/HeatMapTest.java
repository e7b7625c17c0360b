package dev.baton.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.junit.jupiter.api.Test;

/** The rows of a heat map. */
class HeatMapTest {
    private static final int HISTOGRAMS = 500;

    @Test
    void everyRecordedValueIsInItsRow() {
        Random random = new Random(7);
        for (int i = 0; i < HISTOGRAMS; i++) {
            Histogram histogram = new Histogram(3);
            histogram.setAutoResize(true);
            int values = 1 + random.nextInt(20);
            for (int j = 0; j < values; j++) {
                // Powers of ten, where rows begin, among any others.
                double exponent = random.nextBoolean() ? random.nextInt(11) : 11 * random.nextDouble();
                histogram.recordValueWithCount(
                        (long) Math.pow(10, exponent) - random.nextInt(2), 1 + random.nextInt(5));
            }
            assertThat(HeatMap.rows(histogram)).isEqualTo(rows(histogram));
        }
    }

    private static List<Long> rows(Histogram histogram) {
        TreeMap<Long, Long> counts = new TreeMap<>();
        for (HistogramIterationValue each : histogram.recordedValues()) {
            double log = Math.log10(Math.max(1, each.getValueIteratedTo()));
            counts.merge((long) Math.floor(10 * log), each.getCountAtValueIteratedTo(), Long::sum);
        }
        List<Long> rows = new ArrayList<>(List.of(counts.firstKey()));
        for (long row = counts.firstKey(); row <= counts.lastKey(); row++) {
            rows.add(counts.getOrDefault(row, 0L));
        }
        return rows;
    }
}
