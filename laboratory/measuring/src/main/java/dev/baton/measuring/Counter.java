package dev.baton.measuring;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/** A count that one thread raises and any thread reads: no atomic addition, no fence. */
public final class Counter {
    private static final AtomicLongFieldUpdater<Counter> COUNT =
            AtomicLongFieldUpdater.newUpdater(Counter.class, "count");

    private volatile long count;

    /** Called by the one writing thread. */
    public void increment() {
        add(1);
    }

    /** Several at once; called by the one writing thread. */
    public void add(long more) {
        COUNT.lazySet(this, count + more);
    }

    /** The count as last seen; exact once the writing thread has ended. */
    public long count() {
        return count;
    }
}
