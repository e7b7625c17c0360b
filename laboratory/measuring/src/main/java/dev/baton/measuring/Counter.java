package dev.baton.measuring;

import java.util.concurrent.atomic.AtomicLong;

/** A count that one thread raises and any thread reads: no atomic addition, no fence. */
public final class Counter {
    private final AtomicLong value = new AtomicLong();

    /** Called by the one writing thread. */
    public void increment() {
        add(1);
    }

    /** Several at once; called by the one writing thread. */
    public void add(long more) {
        value.setRelease(value.getPlain() + more);
    }

    /** The count as last seen; exact once the writing thread has ended. */
    public long count() {
        return value.getAcquire();
    }
}
