package dev.baton.lab.engines;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.SleepingWaitStrategy;
import com.lmax.disruptor.WaitStrategy;
import com.lmax.disruptor.YieldingWaitStrategy;

/** How the Disruptor's own loop waits where ours would pause. Stateless, thread-safe. */
final class RingWait {
    private RingWait() {}

    /** The library's own; the sleeping one is told not to spin or yield before it parks. */
    static WaitStrategy strategy(Pause pause) {
        return switch (pause.kind()) {
            case PARK -> new SleepingWaitStrategy(0, pause.nanos());
            case SPIN -> new BusySpinWaitStrategy();
            case YIELD -> new YieldingWaitStrategy();
        };
    }
}
