package dev.baton.measuring;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Accounts for every message of one instance by its number: 0, 1, 2 ... in the order of sending.
 *
 * <p>The next number is the fast path: one comparison. A later one leaves a gap, kept as a range; an earlier one either fills a gap (it was
 * reordered) or has been here before (a duplicate). At most {@value #MOST_RANGES} gaps are kept. The messages of further ones are only
 * counted ({@link #unplacedCount}), so that the sums are still right, but a duplicate may count as a late arrival. Nothing is allocated
 * before the first gap. Confined to the receiver's thread, and to its reader after that has ended.
 */
public final class DeliveryAccount {
    static final int MOST_RANGES = 1 << 16;

    public enum Arrival {
        /** The next number. */
        IN_ORDER,
        /** Later than the next number: those between are missing for now. */
        AFTER_GAP,
        /** The first arrival of a message that others have overtaken. */
        REORDERED,
        /** Not the first arrival. */
        DUPLICATE
    }

    private final NavigableMap<Long, Long> missing = new TreeMap<>(); // first and last number of each gap
    private final int mostRanges;
    private long unplaced; // messages that are missing, and whose numbers were not kept
    private long next;
    private long delivered;
    private long reordered;
    private long duplicated;
    private long corrupted;

    public DeliveryAccount() {
        this(MOST_RANGES);
    }

    DeliveryAccount(int mostRanges) {
        this.mostRanges = mostRanges;
    }

    /** {@return the number of the next arrival in order} */
    public long next() {
        return next;
    }

    public Arrival arrived(long number) {
        if (number == next) {
            next = number + 1;
            delivered++;
            return Arrival.IN_ORDER;
        }
        return outOfOrder(number);
    }

    private Arrival outOfOrder(long number) {
        if (number > next) {
            lacks(next, number - 1);
            next = number + 1;
            delivered++;
            return Arrival.AFTER_GAP;
        }
        if (fill(number)) {
            delivered++;
            reordered++;
            return Arrival.REORDERED;
        }
        duplicated++;
        return Arrival.DUPLICATE;
    }

    private void lacks(long first, long last) {
        if (first > last) {
            return; // nothing is left of a gap
        }
        if (missing.size() < mostRanges) {
            missing.put(first, last);
        } else {
            unplaced += last - first + 1;
        }
    }

    /** {@return whether a number was missing, or may be one of those that were not kept for want of room} */
    private boolean fill(long number) {
        Map.Entry<Long, Long> gap = missing.floorEntry(number);
        if (gap == null || gap.getValue() < number) {
            return unplaced > 0 && unplaced-- > 0;
        }
        missing.remove(gap.getKey());
        lacks(gap.getKey(), number - 1);
        lacks(number + 1, gap.getValue());
        return true;
    }

    /** Counts a message whose content differs from what was sent; in addition to {@link #arrived} if its number is known. */
    public void corrupted() {
        corrupted++;
    }

    /** Counts a copy of a part of a message, where only the whole has a number. */
    public void duplicated() {
        duplicated++;
    }

    /** {@return whether a number has not arrived} */
    public boolean isMissing(long number) {
        Map.Entry<Long, Long> gap = number >= next || missing.isEmpty() ? null : missing.floorEntry(number);
        return number >= next || gap != null && gap.getValue() >= number;
    }

    /** Messages that arrived at least once. */
    public long deliveredCount() {
        return delivered;
    }

    public long reorderedCount() {
        return reordered;
    }

    public long duplicatedCount() {
        return duplicated;
    }

    public long corruptedCount() {
        return corrupted;
    }

    /** Messages that have not arrived. */
    public long lostCount(long sent) {
        long kept = 0;
        for (Map.Entry<Long, Long> gap : missing.entrySet()) {
            kept += gap.getValue() - gap.getKey() + 1;
        }
        return kept + unplaced + Math.max(0, sent - next);
    }

    /**
     * Visits the messages that have not arrived, in order, without those of {@link #unplacedCount}.
     *
     * @param visitor takes ranges of numbers, both ends included
     */
    public void forEachLost(long sent, BiConsumer<Long, Long> visitor) {
        missing.forEach(visitor);
        if (sent > next) {
            visitor.accept(next, sent - 1);
        }
    }

    /** {@return the number of messages that have not arrived, and whose numbers were not kept} */
    public long unplacedCount() {
        return unplaced;
    }
}
