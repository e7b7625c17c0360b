package dev.baton.chronicle.log;

import java.util.Arrays;

/**
 * The scratch memory of one connection's writers, or of its readers, by powers of two. A writer has some while frames
 * wait for their flush, a reader while an excerpt is partly consumed; as a rule that is one at a time, whatever the
 * number of topics, so the same memory is used again and stays in the cache.
 *
 * <p>Writers and readers have a pool each, and the free ones are kept as numbers: a topic mostly gets the memory that
 * it had before, and taking and giving store no reference, which would cost a collector's barrier at every hop
 * (docs/decisions/007). Confined to its connection's thread.
 */
public final class ScratchPool {
    private static final int LEAST_BITS = 14;
    private static final int MOST_BITS = 30;
    private static final int FIRST = 4;

    private final Size[] sizes = new Size[MOST_BITS + 1];

    /** Takes scratch memory with at least this capacity; its content is undefined. */
    public Scratch take(int bytes) {
        int bits = Math.max(LEAST_BITS, Integer.SIZE - Integer.numberOfLeadingZeros(bytes - 1));
        if (bits > MOST_BITS) {
            throw new IllegalArgumentException("scratch of " + bytes + " bytes, the most is " + (1 << MOST_BITS));
        }
        Size size = sizes[bits];
        if (size == null) {
            size = new Size(1 << bits);
            sizes[bits] = size;
        }
        return size.take();
    }

    /** Returns to the pool what {@link #take} gave. */
    public void give(Scratch scratch) {
        sizes[Integer.numberOfTrailingZeros(scratch.capacity())].give(scratch);
    }

    /** All scratch memory of one size ever made. */
    private static final class Size {
        private final int capacity;
        private Scratch[] all = {};
        /** The numbers of the free ones; the last given is the first taken. */
        private int[] free = new int[FIRST];

        private int freeCount;

        Size(int capacity) {
            this.capacity = capacity;
        }

        Scratch take() {
            return freeCount == 0 ? another() : all[free[--freeCount]];
        }

        private Scratch another() {
            Scratch made = new Scratch(capacity, all.length);
            all = Arrays.copyOf(all, all.length + 1);
            all[made.number] = made;
            return made;
        }

        void give(Scratch scratch) {
            if (freeCount == free.length) {
                free = Arrays.copyOf(free, 2 * freeCount);
            }
            free[freeCount++] = scratch.number;
        }
    }
}
