package dev.baton.spi.support;

import java.util.Arrays;

/**
 * A map from ranges of a topic's sequences to values, such as the writers of the frames, or the inputs that they answer. For
 * transports that keep such values outside of the frames. Immutable, thread-safe.
 *
 * @param <T> type of the values
 */
public final class SequenceRanges<T> {
    private static final SequenceRanges<?> NONE = new SequenceRanges<>(new long[0], new Object[0]);

    private final long[] firsts; // ascending
    private final Object[] values;

    private SequenceRanges(long[] firsts, Object[] values) {
        this.firsts = firsts;
        this.values = values;
    }

    /**
     * {@return a map without ranges}
     *
     * @param <T> type of the values
     */
    @SuppressWarnings("unchecked") // contains no object
    public static <T> SequenceRanges<T> none() {
        return (SequenceRanges<T>) NONE;
    }

    /**
     * {@return these ranges and a new one} Ranges that begin at its first sequence or later are removed.
     *
     * @param first first sequence of the new range
     * @param value value from there on
     */
    public SequenceRanges<T> with(long first, T value) {
        int kept = before(first, firsts, firsts.length);
        long[] newFirsts = Arrays.copyOf(firsts, kept + 1);
        Object[] newValues = Arrays.copyOf(values, kept + 1);
        newFirsts[kept] = first;
        newValues[kept] = value;
        return new SequenceRanges<>(newFirsts, newValues);
    }

    /**
     * {@return these ranges for a writer that has withdrawn its frames from a sequence on: the newest value, which it has set
     * last, holds from there}
     *
     * @param first sequence of the first frame that was withdrawn
     */
    public SequenceRanges<T> rewound(long first) {
        return lastOf(first) == Long.MAX_VALUE ? this : with(first, newest());
    }

    /** Returns the number of ranges, among the first {@code size}, that begin before a sequence. */
    private static int before(long first, long[] firsts, int size) {
        int kept = size;
        while (kept > 0 && firsts[kept - 1] >= first) {
            kept--;
        }
        return kept;
    }

    /** Receives the ranges of {@link #forEach}. */
    @FunctionalInterface
    public interface Visitor<T> {
        /**
         * Receives a range.
         *
         * @param first first sequence of the range
         * @param value value from there on
         */
        void onRange(long first, T value);
    }

    /**
     * Passes all ranges to a visitor, the oldest first.
     *
     * @param visitor visitor, called for each range
     */
    public void forEach(Visitor<T> visitor) {
        for (int i = 0; i < firsts.length; i++) {
            visitor.onRange(firsts[i], value(i));
        }
    }

    /**
     * Collects ranges. The result is that of {@link SequenceRanges#with} called for each of them, without a copy for each. Confined to one
     * thread.
     *
     * @param <T> type of the values
     */
    public static final class Builder<T> {
        private static final int FIRST_CAPACITY = 8;

        private long[] firsts = new long[FIRST_CAPACITY];
        private Object[] values = new Object[FIRST_CAPACITY];
        private int size;

        /** Creates an instance without ranges. */
        public Builder() {}

        /**
         * Adds a range. Ranges that begin at its first sequence or later are removed.
         *
         * @param first first sequence of the new range
         * @param value value from there on
         */
        public void add(long first, T value) {
            size = before(first, firsts, size);
            if (size == firsts.length) {
                firsts = Arrays.copyOf(firsts, 2 * size);
                values = Arrays.copyOf(values, 2 * size);
            }
            firsts[size] = first;
            values[size] = value;
            size++;
        }

        /** {@return the ranges that were added} */
        public SequenceRanges<T> build() {
            return new SequenceRanges<>(Arrays.copyOf(firsts, size), Arrays.copyOf(values, size));
        }
    }

    /**
     * {@return the value of a sequence; null before the first range}
     *
     * @param sequence sequence of a frame
     */
    public T at(long sequence) {
        int index = indexOf(sequence);
        return index < 0 ? null : value(index);
    }

    /** {@return the number of ranges} */
    public int count() {
        return firsts.length;
    }

    /** {@return the value of the newest range; null if there is none} */
    public T newest() {
        return firsts.length == 0 ? null : value(firsts.length - 1);
    }

    /**
     * {@return the last sequence of the range that contains a sequence; {@link Long#MAX_VALUE} for the newest range}
     *
     * @param sequence sequence of a frame
     */
    public long lastOf(long sequence) {
        int next = indexOf(sequence) + 1;
        return next == firsts.length ? Long.MAX_VALUE : firsts[next] - 1;
    }

    private int indexOf(long sequence) {
        int found = Arrays.binarySearch(firsts, sequence);
        return found >= 0 ? found : -found - 2;
    }

    @SuppressWarnings("unchecked") // with() adds only these
    private T value(int index) {
        return (T) values[index];
    }
}
