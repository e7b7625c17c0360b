package dev.baton.lab.page;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The counts of responses by latency and time. A row is a tenth of a decade: row r contains latencies from 10^(r/10) to 10^((r+1)/10)
 * nanoseconds. Immutable, thread-safe.
 *
 * @param columns for each few seconds its first row, followed by the counts of that row and those above it
 * @param p50 of each column's merged histogram; null where it is empty, like the next
 */
record HeatMap(List<List<Long>> columns, List<Long> p50, List<Long> p99) {
    private static final int ROWS_PER_DECADE = 10;

    /**
     * Reads a heat map.
     *
     * @param each seconds of a column
     * @param columns number of columns
     * @return null when the trial has no log
     * @throws IOException when that cannot be read
     */
    static HeatMap of(Recorded recorded, int each, int columns) throws IOException {
        Building building = new Building(columns);
        recorded.forEach((start, length, responses) -> building.add((int) ((start + length / 2) / each), responses));
        return building.end();
    }

    /**
     * Returns the first row with values, followed by the counts of that row and those above it. It counts between the bounds of rows,
     * which is several times faster than an iteration over all recorded values.
     *
     * @param histogram with at least one value
     */
    static List<Long> rows(Histogram histogram) {
        int first = row(histogram.highestEquivalentValue(histogram.getMinValue()));
        int last = row(histogram.getMaxValue());
        List<Long> rows = new ArrayList<>(List.of((long) first));
        long from = 0;
        for (int row = first; row <= last; row++) {
            long bound = (long) Math.ceil(Math.pow(10, (row + 1.0) / ROWS_PER_DECADE));
            long next = histogram.lowestEquivalentValue(bound);
            rows.add(next > from ? histogram.getCountBetweenValues(from, next - 1) : 0);
            from = Math.max(from, next);
        }
        return rows;
    }

    private static int row(long nanos) {
        return (int) Math.floor(Math.log10(Math.max(1, nanos)) * ROWS_PER_DECADE);
    }

    /** Takes intervals in their order and keeps one histogram at a time. */
    private static final class Building {
        private final List<List<Long>> columns;
        private final List<Long> p50;
        private final List<Long> p99;
        private final Histogram merged = new Histogram(3);
        private int current = -1;

        Building(int count) {
            columns = new ArrayList<>(Collections.nCopies(count, List.of()));
            p50 = new ArrayList<>(Collections.nCopies(count, null));
            p99 = new ArrayList<>(Collections.nCopies(count, null));
            merged.setAutoResize(true);
        }

        void add(int column, Histogram responses) {
            int bounded = Math.max(0, Math.min(columns.size() - 1, column));
            if (bounded != current) {
                publish();
                current = bounded;
            }
            merged.add(responses);
        }

        /** Returns the heat map; null without an interval. */
        HeatMap end() {
            publish();
            return current < 0 ? null : new HeatMap(columns, p50, p99);
        }

        private void publish() {
            if (current >= 0 && merged.getTotalCount() > 0) {
                columns.set(current, rows(merged));
                p50.set(current, merged.getValueAtPercentile(50));
                p99.set(current, merged.getValueAtPercentile(99));
            }
            merged.reset();
        }
    }
}
