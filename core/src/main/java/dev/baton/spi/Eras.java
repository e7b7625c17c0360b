package dev.baton.spi;

import java.util.Arrays;

/**
 * What holds from which sequence of a topic on: its writers, say, or the inputs that its frames answer. For transports
 * that keep such things beside the frames. Immutable, thread-safe.
 *
 * @param <T> what holds for an era
 */
public final class Eras<T> {
    private static final Eras<?> NONE = new Eras<>(new long[0], new Object[0]);

    private final long[] firsts; // rising
    private final Object[] values;

    private Eras(long[] firsts, Object[] values) {
        this.firsts = firsts;
        this.values = values;
    }

    /** No era yet. */
    @SuppressWarnings("unchecked") // holds nothing
    public static <T> Eras<T> none() {
        return (Eras<T>) NONE;
    }

    /** These eras and a new one from {@code first} on; eras that began there or later never came to be. */
    public Eras<T> with(long first, T value) {
        int kept = firsts.length;
        while (kept > 0 && firsts[kept - 1] >= first) {
            kept--;
        }
        long[] newFirsts = Arrays.copyOf(firsts, kept + 1);
        Object[] newValues = Arrays.copyOf(values, kept + 1);
        newFirsts[kept] = first;
        newValues[kept] = value;
        return new Eras<>(newFirsts, newValues);
    }

    /** What holds for a sequence; null before the first era. */
    public T at(long sequence) {
        int index = indexOf(sequence);
        return index < 0 ? null : value(index);
    }

    /** What has begun last; null when nothing has. */
    public T newest() {
        return firsts.length == 0 ? null : value(firsts.length - 1);
    }

    /** The last sequence of the era that a sequence lies in; {@link Long#MAX_VALUE} of the newest. */
    public long lastOf(long sequence) {
        int next = indexOf(sequence) + 1;
        return next == firsts.length ? Long.MAX_VALUE : firsts[next] - 1;
    }

    private int indexOf(long sequence) {
        int found = Arrays.binarySearch(firsts, sequence);
        return found >= 0 ? found : -found - 2;
    }

    @SuppressWarnings("unchecked") // with() puts nothing else in
    private T value(int index) {
        return (T) values[index];
    }
}
