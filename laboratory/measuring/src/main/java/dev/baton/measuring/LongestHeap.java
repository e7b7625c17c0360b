package dev.baton.measuring;

import java.util.Arrays;

/**
 * The longest of all offered entries, up to its capacity.
 *
 * <p>A heap whose root is the shortest: a shorter entry costs one comparison, a longer one replaces the root. Only lengths and places move
 * within the heap, so that a replacement among thousands stays within the first cache. Everything is allocated in the constructor.
 *
 * <p>Free room is an entry shorter than all others, so that new entries take the same path with and without free room. The JIT omits a path
 * that is taken only at the beginning from the code of a long-running loop; the first messages of a measurement would then run slower code
 * in all chains of the loop for a tenth of a second.
 *
 * <p>Confined to one thread at a time.
 */
public final class LongestHeap {
    @FunctionalInterface
    public interface Visitor {
        /** Visits one entry with the values that were offered. */
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

    /**
     * Creates an empty heap.
     *
     * @param most entries to keep, 1 or more
     */
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

    /** The length that a new entry must exceed: that of the shortest one if there is no room, -1 otherwise. */
    public long barNanos() {
        return Math.max(-1, lengths[0]);
    }

    /**
     * Keeps an entry if it is among the longest so far.
     *
     * @param nanos its length, from 0
     * @param second an additional value to keep
     * @param third another additional value
     */
    public void offer(long start, long nanos, long second, long third) {
        if (nanos > lengths[0]) {
            int place = places[0];
            put(place, start, second, third);
            sink(nanos, place);
        }
    }

    private void put(int place, long start, long second, long third) {
        int at = place * FIELDS;
        entries[at] = start;
        entries[at + SECOND] = second;
        entries[at + THIRD] = third;
    }

    /** Moves an entry down from the root to its place. */
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

    /** Visits all entries, in no particular order. */
    public void forEach(Visitor visitor) {
        for (int i = 0; i < most; i++) {
            int at = places[i] * FIELDS;
            if (lengths[i] != ROOM) {
                visitor.entry(entries[at], lengths[i], entries[at + SECOND], entries[at + THIRD]);
            }
        }
    }
}
