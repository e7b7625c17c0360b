package dev.baton.aeron.udp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The newest fragments of a topic, in a ring of memory in which new ones overwrite the oldest, and the cursor from which they are
 * sent. A consumer may return at a frame within twice the size. The memory has three times the size, so that a batch for which there
 * was room takes nothing from a consumer that has joined meanwhile, and two fragments more for the end of a lap. Used under the monitor
 * of the topic.
 */
final class FragmentWindow {
    private static final int FIRST_CAPACITY = 64; // a power of two

    private final int size;
    private final ByteBuffer memory;
    private int end; // offset behind the newest fragment

    private long[] firsts = new long[FIRST_CAPACITY]; // sequence of the first frame of a fragment
    private long[] begins = new long[FIRST_CAPACITY]; // bytes that were added before it
    private int[] offsets = new int[FIRST_CAPACITY];
    private int[] lengths = new int[FIRST_CAPACITY];
    private int[] writers = new int[FIRST_CAPACITY]; // number of its writer
    private long oldest; // number of the oldest fragment
    private long next; // number of the next fragment
    private long cursor; // number of the fragment that is sent next
    private long repeatedFrom; // number of the first fragment that is sent again
    private long repeatedTo; // number behind the last one
    private long added; // bytes of all fragments ever
    private long newest; // sequence

    /** Creates an empty window of a number of bytes. */
    FragmentWindow(int size, int longestFragment) {
        this.size = size;
        memory = ByteBuffer.allocateDirect(3 * size + 2 * longestFragment).order(ByteOrder.LITTLE_ENDIAN);
    }

    private int index(long fragment) {
        return (int) fragment & firsts.length - 1;
    }

    /** Returns the sequence of the newest frame, 0 for none. */
    long newest() {
        return newest;
    }

    /** Returns the sequence of the oldest frame at which a consumer can begin; that of the next frame while there is none. */
    long oldest() {
        return oldestWithin(size);
    }

    /** Returns the sequence of the oldest frame at which a consumer can return; that of the next frame while there is none. */
    long oldestToReturn() {
        return oldestWithin(2 * size);
    }

    private long oldestWithin(int bytes) {
        long low = oldest;
        long high = next;
        while (low < high) { // the first fragment that is not too far from the end
            long middle = low + high >>> 1;
            if (added - begins[index(middle)] > bytes) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == next ? newest + 1 : firsts[index(low)];
    }

    /** Returns the sequence of the oldest frame that can be sent again; that of the next frame while there is none. */
    long oldestLeft() {
        return oldest == next ? newest + 1 : firsts[index(oldest)];
    }

    ByteBuffer memory() {
        return memory;
    }

    /** Adds a fragment, for which there is room, and returns its offset in the memory. */
    int add(ByteBuffer from, int at, int length, long first, long last, int writer) {
        int offset = end;
        if (offset + length > memory.capacity()) {
            while (oldest < next && offsets[index(oldest)] >= end) {
                oldest++;
            }
            offset = 0;
        }
        while (oldest < next && isWithin(offsets[index(oldest)], offset, offset + length)) {
            oldest++;
        }
        cursor = Math.max(cursor, oldest);
        if (next - oldest == firsts.length) {
            grow();
        }
        memory.put(offset, from, at, length);
        int index = index(next);
        firsts[index] = first;
        begins[index] = added;
        offsets[index] = offset;
        lengths[index] = length;
        writers[index] = writer;
        next++;
        added += length;
        end = offset + length;
        newest = last;
        return offset;
    }

    /** Returns whether the oldest fragment, which begins behind the end of the newest one, lies in a range. */
    private static boolean isWithin(int offset, int from, int to) {
        return offset >= from && offset < to;
    }

    private void grow() {
        int rotated = index(oldest);
        firsts = doubled(firsts, rotated, oldest);
        begins = doubled(begins, rotated, oldest);
        offsets = doubled(offsets, rotated, oldest);
        lengths = doubled(lengths, rotated, oldest);
        writers = doubled(writers, rotated, oldest);
    }

    private static long[] doubled(long[] values, int from, long number) {
        long[] more = Arrays.copyOf(values, 2 * values.length);
        for (int i = 0; i < values.length; i++) {
            more[(int) (number + i) & more.length - 1] = values[from + i & values.length - 1];
        }
        return more;
    }

    private static int[] doubled(int[] values, int from, long number) {
        int[] more = Arrays.copyOf(values, 2 * values.length);
        for (int i = 0; i < values.length; i++) {
            more[(int) (number + i) & more.length - 1] = values[from + i & values.length - 1];
        }
        return more;
    }

    /** Returns the bytes that may be added without overwriting a frame behind a sequence. */
    int room(long acknowledged) {
        return size - (int) (added - beginOf(find(acknowledged + 1)));
    }

    private long beginOf(long fragment) {
        return fragment == next ? added : begins[index(fragment)];
    }

    /** Returns the number of the fragment with a sequence, or of the oldest one behind it; that of the next one for none. */
    private long find(long sequence) {
        if (sequence > newest) {
            return next;
        }
        long low = oldest;
        long high = next;
        while (low < high) { // the first fragment that begins behind the sequence
            long middle = low + high >>> 1;
            if (firsts[index(middle)] <= sequence) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return Math.max(oldest, low - 1);
    }

    /**
     * Moves the cursor back to the fragment with a sequence, unless it is there or before, or has not yet sent everything that
     * followed when it was moved back there or before: a reader that never receives would keep new frames from all others.
     */
    void goBack(long sequence) {
        long back = find(sequence);
        if (back < cursor && (back < repeatedFrom || cursor >= repeatedTo)) {
            repeatedFrom = back;
            repeatedTo = next;
            cursor = back;
        }
    }

    /** Returns whether the cursor has a fragment to send. */
    boolean hasUnsent() {
        return cursor < next;
    }

    /** Returns the offset of the fragment that is sent next. */
    int offset() {
        return offsets[index(cursor)];
    }

    /** Returns the length of the fragment that is sent next. */
    int length() {
        return lengths[index(cursor)];
    }

    /** Returns the number of the writer of the fragment that is sent next. */
    int writer() {
        return writers[index(cursor)];
    }

    /** Moves the cursor behind the fragment that was sent. */
    void sent() {
        cursor++;
    }
}
