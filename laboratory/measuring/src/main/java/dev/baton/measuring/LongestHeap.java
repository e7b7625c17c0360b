package dev.baton.measuring;

import java.util.Arrays;

/**
 * The longest of all that it was offered, as many as it has room for.
 *
 * <p>A heap whose root is the shortest: what is shorter than the root of a full heap costs one comparison, what is longer
 * takes its place. Only lengths and places move within the heap, so that a replacement among thousands stays within the
 * first cache. Everything is allocated in the constructor.
 *
 * <p>Room is an entry shorter than all, so that a newcomer takes one way whether there is room or not: a way that is taken
 * at the beginning alone is omitted of what the JIT makes of a loop that has been running for a while, and the first
 * messages of a measurement then cost all chains of the loop a tenth of a second of slower code.
 *
 * <p>Confined to one thread at a time.
 */
public final class LongestHeap {
    @FunctionalInterface
    public interface Visitor {
        /** All as they were offered. */
        void entry(long start, long nanos, long second, long third);
    }

    private static final int FIELDS = 3;
    private static final int SECOND = 1;
    private static final int THIRD = 2;
    private static final long ROOM = Long.MIN_VALUE;

    private final int most;
    private final long[] lengths; // the heap
    private final int[] places; // of the entries that these lengths belong to
    private final long[] entries;
    private int size;

    /** @param most entries to keep, 1 or more */
    public LongestHeap(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("room for " + most + " entries; 1 or more is needed");
        }
        this.most = most;
        lengths = new long[most];
        places = new int[most];
        entries = new long[most * FIELDS];
        Arrays.fill(lengths, ROOM);
        Arrays.setAll(places, place -> place);
    }

    /** The length that a newcomer must exceed: of the shortest one when there is no room left, -1 while there is. */
    public long barNanos() {
        return Math.max(-1, lengths[0]);
    }

    /**
     * Keeps an entry if it is among the longest so far.
     *
     * @param nanos its length, from 0
     * @param second whatever else is to be kept of it
     * @param third a second value to be kept of it
     */
    public void offer(long start, long nanos, long second, long third) {
        if (nanos > lengths[0]) {
            int place = places[0];
            put(place, start, second, third);
            sink(nanos, place);
            size = Math.min(most, size + 1);
        }
    }

    private void put(int place, long start, long second, long third) {
        int at = place * FIELDS;
        entries[at] = start;
        entries[at + SECOND] = second;
        entries[at + THIRD] = third;
    }

    /** Finds the way down from the root. */
    private void sink(long nanos, int place) {
        int at = 0;
        int child = 1;
        while (child < most) {
            if (child + 1 < most && lengths[child + 1] < lengths[child]) {
                child++;
            }
            if (lengths[child] >= nanos) {
                break;
            }
            lengths[at] = lengths[child];
            places[at] = places[child];
            at = child;
            child = 2 * at + 1;
        }
        lengths[at] = nanos;
        places[at] = place;
    }

    public int size() {
        return size;
    }

    /** Visits all entries, in no order. */
    public void forEach(Visitor visitor) {
        for (int i = 0; i < most; i++) {
            int at = places[i] * FIELDS;
            if (lengths[i] != ROOM) {
                visitor.entry(entries[at], lengths[i], entries[at + SECOND], entries[at + THIRD]);
            }
        }
    }
}
