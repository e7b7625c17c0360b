package dev.baton.kafka.connection;

import dev.baton.spi.support.ThreadConfinement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The wake-up of a loop by another thread, wherever it waits: in the consumer's poll or parked.
 *
 * <p>A wake-up while the loop does not wait ends the next wait at once; several count as one. The consumer's own wakeup
 * is used only while the loop is in its poll, since one that comes too early would fail whatever call comes next. A
 * wake-up that just misses the end of the poll still may; the fetcher takes it for an empty poll.
 *
 * <p>Thread-safe; {@link #begin} and {@link #end} are called by the loop.
 */
public final class LoopWakeup {
    private static final int AWAKE = 0;
    private static final int POLLING = 1;
    private static final int PARKED = 2;
    private static final int WOKEN = 3;

    private final AtomicInteger state = new AtomicInteger(AWAKE);
    private final ThreadConfinement loop;

    public LoopWakeup(ThreadConfinement loop) {
        this.loop = loop;
    }

    /** Begins a wait of the loop; returns false when it was woken before. */
    public boolean begin(boolean isPoll) {
        if (state.compareAndSet(AWAKE, isPoll ? POLLING : PARKED)) {
            return true;
        }
        state.set(AWAKE);
        return false;
    }

    /** Ends the wait of the loop. */
    public void end() {
        state.set(AWAKE);
    }

    /** Ends the wait in progress or the next one. */
    public void wake(Runnable endPoll) {
        int was = state.getAndSet(WOKEN);
        if (was == POLLING) {
            endPoll.run();
        } else if (was == PARKED) {
            LockSupport.unpark(loop.thread());
        }
    }
}
