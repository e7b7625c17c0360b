package dev.baton.lab.engines;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One volatile number that a thread hands to another: how many messages there are.
 *
 * <p>It lies 128 bytes or more from whatever else there is, as a processor fetches lines of 64 bytes in pairs. Nothing
 * comes back: the number only grows, so a sender never waits and a receiver that was held up finds all that it has missed
 * in one look. {@link #publish}: one thread. {@link #published}: any.
 */
final class HandOver {
    private static final VarHandle VOLATILE = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int PLACE = 16;
    private static final int LENGTH = 2 * PLACE + 1;

    private final long[] line = new long[LENGTH];

    /** Says that there are so many messages now. */
    void publish(long count) {
        VOLATILE.setVolatile(line, PLACE, count);
    }

    /** How many messages there are. */
    long published() {
        return (long) VOLATILE.getVolatile(line, PLACE);
    }
}
