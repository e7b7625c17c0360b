package dev.baton.measuring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A count that one thread raises and any thread reads: no atomic addition, no fence. */
public final class Counter {
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(Counter.class, "value", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private long value;

    /** Called by the one writing thread. */
    public void increment() {
        VALUE.setRelease(this, value + 1);
    }

    /** Several at once, likewise. */
    public void add(long more) {
        VALUE.setRelease(this, value + more);
    }

    /** The count as last seen; exact once the writing thread has ended. */
    public long count() {
        return (long) VALUE.getAcquire(this);
    }
}
