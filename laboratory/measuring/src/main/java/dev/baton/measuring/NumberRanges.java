package dev.baton.measuring;

import java.util.Arrays;

/**
 * A set of numbers as sorted ranges, for what is missing: added at the end, removed anywhere. Bounded: what would need
 * more ranges than the capacity is only counted, see {@link #dropped}. Confined to one thread.
 */
final class NumberRanges {
    /** Takes a range, both ends included. */
    @FunctionalInterface
    interface Visitor {
        void range(long first, long last);
    }

    private final int capacity;
    private long[] firsts = {};
    private long[] lasts = {};
    private int size;
    private long dropped;

    NumberRanges(int capacity) {
        this.capacity = capacity;
    }

    /** Adds a range behind all others. */
    void append(long first, long last) {
        if (hasPlace()) {
            firsts[size] = first;
            lasts[size++] = last;
        } else {
            dropped += last - first + 1;
        }
    }

    /** Numbers that there was no place for. */
    long dropped() {
        return dropped;
    }

    /** Numbers in the set, the dropped ones included. */
    long count() {
        long count = dropped;
        for (int i = 0; i < size; i++) {
            count += lasts[i] - firsts[i] + 1;
        }
        return count;
    }

    /** Removes a number; false when it is neither in the set nor can be one of the dropped. */
    boolean remove(long number) {
        int at = lastAtOrBefore(number);
        if (at < 0 || lasts[at] < number) {
            return dropped > 0 && dropped-- > 0;
        }
        if (firsts[at] == lasts[at]) {
            delete(at);
        } else if (firsts[at] == number) {
            firsts[at]++;
        } else if (lasts[at] == number) {
            lasts[at]--;
        } else {
            split(at, number);
        }
        return true;
    }

    void forEach(Visitor visitor) {
        for (int i = 0; i < size; i++) {
            visitor.range(firsts[i], lasts[i]);
        }
    }

    private void split(int at, long number) {
        long last = lasts[at];
        lasts[at] = number - 1;
        if (hasPlace()) {
            System.arraycopy(firsts, at + 1, firsts, at + 2, size - at - 1);
            System.arraycopy(lasts, at + 1, lasts, at + 2, size - at - 1);
            firsts[at + 1] = number + 1;
            lasts[at + 1] = last;
            size++;
        } else {
            dropped += last - number;
        }
    }

    private void delete(int at) {
        System.arraycopy(firsts, at + 1, firsts, at, size - at - 1);
        System.arraycopy(lasts, at + 1, lasts, at, size - at - 1);
        size--;
    }

    private int lastAtOrBefore(long number) {
        int found = Arrays.binarySearch(firsts, 0, size, number);
        return found >= 0 ? found : -found - 2;
    }

    private boolean hasPlace() {
        if (size == capacity) {
            return false;
        }
        if (size == firsts.length) {
            int room = Math.min(capacity, Math.max(8, 2 * size));
            firsts = Arrays.copyOf(firsts, room);
            lasts = Arrays.copyOf(lasts, room);
        }
        return true;
    }
}
