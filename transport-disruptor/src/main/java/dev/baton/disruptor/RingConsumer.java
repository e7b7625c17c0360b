package dev.baton.disruptor;

import com.lmax.disruptor.Sequence;

/** What a ring remembers of a named consumer, whether or not it is being read. */
final class RingConsumer {
    final String name;

    /** Ring sequence of the newest frame acknowledged; moved by the reader, read by the writer. */
    final Sequence acknowledged = new Sequence();

    boolean hasReader; // guarded by the ring

    RingConsumer(String name) {
        this.name = name;
    }
}
