package dev.baton.measuring;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A counter that one thread increments and any thread reads, without atomic additions and fences. It has a cache line of its own:
 * those of a sender and of a receiver are created one after the other, and the one would wait for the stores of the other.
 */
public final class Counter {
    private static final int PADDING = 16; // longs: processors fetch lines of 64 bytes in pairs

    private final AtomicLongArray counts = new AtomicLongArray(2 * PADDING + 1);

    /** Adds one; called by the one writing thread. */
    public void increment() {
        add(1);
    }

    /** Adds several; called by the one writing thread. */
    public void add(long more) {
        counts.lazySet(PADDING, counts.getPlain(PADDING) + more);
    }

    /** The count as last seen; exact once the writing thread has ended. */
    public long count() {
        return counts.get(PADDING);
    }
}
