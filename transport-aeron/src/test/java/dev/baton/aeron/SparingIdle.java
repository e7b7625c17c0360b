package dev.baton.aeron;

import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.IdleStrategy;

/**
 * The pauses of a driver or an Archive beside tests: short ones, so that no test waits for long, and longer ones once nothing has
 * been done for some 50 ms, as an unused one would otherwise take a fifteenth of a core. Confined to its thread.
 */
final class SparingIdle implements IdleStrategy {
    private static final long SHORTEST_NANOS = 20_000;
    private static final long SHORT_NANOS = 200_000;
    private static final long LONG_NANOS = 2_000_000;
    private static final int SHORT_PAUSES = 200;

    private int yields;
    private int pauses;
    private long nanos = SHORTEST_NANOS;

    @Override
    public void idle(int workCount) {
        if (workCount > 0) {
            reset();
        } else {
            idle();
        }
    }

    @Override
    public void idle() {
        if (yields < 2) {
            yields++;
            Thread.yield();
        } else if (pauses < SHORT_PAUSES) {
            pauses++;
            LockSupport.parkNanos(nanos);
            nanos = Math.min(2 * nanos, SHORT_NANOS);
        } else {
            LockSupport.parkNanos(LONG_NANOS);
        }
    }

    @Override
    public void reset() {
        yields = 0;
        pauses = 0;
        nanos = SHORTEST_NANOS;
    }
}
