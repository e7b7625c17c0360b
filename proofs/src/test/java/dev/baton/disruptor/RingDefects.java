package dev.baton.disruptor;

import com.lmax.disruptor.SingleProducerSequencer;

/** The methods that planted defects of the ring call. */
public final class RingDefects {
    private RingDefects() {}

    /** Publishes a slot that is about to be filled. */
    static int publishedSlot(SlottedRing ring, long sequence) {
        ring.publish(sequence);
        return ring.slotOf(sequence);
    }

    static void flush(RingWriter writer) {
        writer.flush();
    }

    /** Returns the newest sequence in place of the slowest consumer's. */
    static long newest(SingleProducerSequencer sequencer) {
        return sequencer.getCursor();
    }

    static long newestAsFloor(SlottedRing ring) {
        ring.raiseFloor();
        return ring.published();
    }
}
