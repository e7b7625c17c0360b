package dev.baton.measuring;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/** A counter that one thread increments and any thread reads, without atomic additions and fences. */
public final class Counter {
    private static final AtomicLongFieldUpdater<Counter> COUNT =
            AtomicLongFieldUpdater.newUpdater(Counter.class, "count");

    private volatile long count;

    /** Adds one; called by the one writing thread. */
    public void increment() {
        add(1);
    }

    /** Adds several; called by the one writing thread. */
    public void add(long more) {
        COUNT.lazySet(this, count + more);
    }

    /** The count as last seen; exact once the writing thread has ended. */
    public long count() {
        return count;
    }
}
