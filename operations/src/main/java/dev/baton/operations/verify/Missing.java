package dev.baton.operations.verify;

import java.util.ArrayList;
import java.util.List;

/** The sequences that a topic lacks, as ranges in rising order; of very many only the first. Confined to one thread. */
final class Missing {
    private static final int MOST_RANGES = 100_000;

    private record Range(long first, long last) {}

    private final List<Range> ranges = new ArrayList<>();
    private long count;
    private long gaps;

    /** Adds a range behind all others, both ends included. */
    void add(long first, long last) {
        gaps++;
        count += last - first + 1;
        if (ranges.size() < MOST_RANGES) {
            ranges.add(new Range(first, last));
        }
    }

    /** How many ranges. */
    long gaps() {
        return gaps;
    }

    /** How many sequences. */
    long count() {
        return count;
    }

    boolean holds(long sequence) {
        int low = 0;
        int high = ranges.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            Range range = ranges.get(middle);
            if (sequence < range.first) {
                high = middle - 1;
            } else if (sequence > range.last) {
                low = middle + 1;
            } else {
                return true;
            }
        }
        return false;
    }
}
