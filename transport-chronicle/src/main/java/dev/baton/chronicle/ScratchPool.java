package dev.baton.chronicle;

/**
 * The scratch memory of one connection, by powers of two. Writers hold some while frames wait for their flush and
 * readers while an excerpt is partly consumed; as a rule that is one of each, whatever the number of topics, so the
 * same memory is used again and stays in the cache. Confined to its connection's thread.
 */
final class ScratchPool {
    private static final int LEAST_BITS = 12;
    private static final int MOST_BITS = 30;

    private final Scratch[] free = new Scratch[MOST_BITS + 1];

    /** Scratch memory with at least this capacity; its content is whatever was there before. */
    Scratch take(int bytes) {
        int bits = Math.max(LEAST_BITS, Integer.SIZE - Integer.numberOfLeadingZeros(bytes - 1));
        if (bits > MOST_BITS) {
            throw new IllegalArgumentException("scratch of " + bytes + " bytes, the most is " + (1 << MOST_BITS));
        }
        Scratch scratch = free[bits];
        if (scratch == null) {
            return new Scratch(1 << bits);
        }
        free[bits] = scratch.next;
        scratch.next = null;
        return scratch;
    }

    /** Gives back what {@link #take} gave. */
    void give(Scratch scratch) {
        int bits = Integer.numberOfTrailingZeros(scratch.capacity());
        scratch.next = free[bits];
        free[bits] = scratch;
    }
}
