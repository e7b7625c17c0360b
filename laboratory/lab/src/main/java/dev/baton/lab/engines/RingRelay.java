package dev.baton.lab.engines;

import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.RingBuffer;
import java.util.concurrent.locks.LockSupport;

/**
 * A service: copies each event into the next ring. Where that is full it waits as the library does, but not for ever: the
 * reader of the next ring may have stopped. Confined to its processor's thread, but for {@link #giveUp}.
 */
final class RingRelay implements EventHandler<HopEvent> {
    private final RingBuffer<HopEvent> next;
    private volatile boolean isGivenUp;

    RingRelay(RingBuffer<HopEvent> next) {
        this.next = next;
    }

    @Override
    public void onEvent(HopEvent event, long sequence, boolean isLastOfBatch) {
        while (!next.hasAvailableCapacity(1)) {
            if (isGivenUp) {
                return;
            }
            LockSupport.parkNanos(1);
        }
        long place = next.next();
        try {
            next.get(place).passOn(event, place);
        } finally {
            next.publish(place);
        }
    }

    /** From now on what finds no room is dropped. */
    void giveUp() {
        isGivenUp = true;
    }
}
