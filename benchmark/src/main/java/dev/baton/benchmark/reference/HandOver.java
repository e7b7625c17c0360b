package dev.baton.benchmark.reference;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One volatile number that a thread hands to another, and one that comes back, so that none is overwritten before it is
 * taken.
 *
 * <p>Each lies 128 bytes or more from the other and from whatever else there is: a processor fetches lines of 64 bytes in
 * pairs. The sender keeps in mind what it has sent and what came back, and looks at the line that comes back while it has
 * nothing to send: in the hand-over itself each side touches one line, which is what it costs.
 *
 * <p>{@link #tryGive} and {@link #lookBack}: one thread. {@link #take}: one other.
 */
final class HandOver {
    /** What {@link #take} answers when there is nothing; no slot of a schedule has this time. */
    static final long NOTHING = Long.MIN_VALUE;

    private static final VarHandle VOLATILE = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int GIVEN = 16;
    private static final int TAKEN = 48;
    private static final int LENGTH = 64;

    private final long[] lines = new long[LENGTH];
    private long given = NOTHING; // of the sender, like the next
    private long back = NOTHING;
    private long taken = NOTHING; // of the receiver

    HandOver() {
        VOLATILE.setVolatile(lines, GIVEN, NOTHING);
        VOLATILE.setVolatile(lines, TAKEN, NOTHING);
    }

    /** Hands over a number other than the last one. @return false: the last one has not been taken yet */
    boolean tryGive(long number) {
        if (back != given && !lookBack()) {
            return false;
        }
        given = number;
        VOLATILE.setVolatile(lines, GIVEN, number);
        return true;
    }

    /** Whether the last number was taken. */
    boolean lookBack() {
        if (back != given) {
            back = (long) VOLATILE.getVolatile(lines, TAKEN);
        }
        return back == given;
    }

    /** Takes the number that was handed over, if it is a new one. */
    long take() {
        long number = (long) VOLATILE.getVolatile(lines, GIVEN);
        if (number == taken) {
            return NOTHING;
        }
        taken = number;
        return number;
    }

    /** Says that the number taken has been dealt with: the next one may come. */
    void giveBack() {
        VOLATILE.setVolatile(lines, TAKEN, taken);
    }
}
