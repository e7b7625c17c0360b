package dev.baton.lab.engines;

import com.lmax.disruptor.RingBuffer;
import dev.baton.measuring.PayloadPattern;

/** Publishes into a chain's first ring, when a slot is free. */
final class RingInlet implements EngineInlet {
    private final RingBuffer<HopEvent> ring;
    private final PayloadPattern pattern;

    RingInlet(RingBuffer<HopEvent> ring, PayloadPattern pattern) {
        this.ring = ring;
        this.pattern = pattern;
    }

    @Override
    public boolean trySend(long number, long originNanos, int tag) {
        if (!ring.hasAvailableCapacity(1)) {
            return false;
        }
        long sequence = ring.next();
        try {
            HopEvent event = ring.get(sequence);
            event.originNanos = originNanos;
            event.sequence = sequence + 1;
            event.cause = 0;
            event.sentNanos = System.nanoTime();
            event.tag = tag;
            event.hops = 0;
            event.length = pattern.length();
            pattern.write(number, event.payload, 0);
        } finally {
            ring.publish(sequence);
        }
        return true;
    }
}
