package dev.baton.engine.inlet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

/** The methods that planted defects of inlets call. */
public final class InletDefects {
    private static final VarHandle COMMITTED;
    private static final VarHandle RELEASED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(StagingRing.class, MethodHandles.lookup());
            COMMITTED = lookup.findVarHandle(StagingRing.class, "committed", long.class);
            RELEASED = lookup.findVarHandle(StagingRing.class, "released", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private InletDefects() {}

    /** Sets a state whatever it was. */
    static boolean set(AtomicInteger state, int expected, int next) {
        state.set(next);
        return true;
    }

    /** Releases the frame that is claimed. */
    static void release(StagingRing ring) {
        RELEASED.setRelease(ring, (long) COMMITTED.get(ring) + 1);
    }
}
