package dev.baton.measuring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A count that one thread raises and any thread reads: no atomic addition, no fence. */
public final class Counter {
    private static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(Counter.class, "count", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private long count;

    /** Called by the one writing thread. */
    public void increment() {
        add(1);
    }

    /** Several at once; called by the one writing thread. */
    public void add(long more) {
        COUNT.setRelease(this, count + more);
    }

    /** The count as last seen; exact once the writing thread has ended. */
    public long count() {
        return (long) COUNT.getAcquire(this);
    }
}
