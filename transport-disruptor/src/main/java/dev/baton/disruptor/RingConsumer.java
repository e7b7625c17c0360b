package dev.baton.disruptor;

import com.lmax.disruptor.Sequence;

/** A named consumer of a ring, which stays when its reader closes. */
final class RingConsumer {
    final String name;

    /** The ring sequence of the newest frame acknowledged; moved by the reader, read by the writer. */
    final Sequence acknowledged = new Sequence();

    boolean hasReader; // guarded by the ring

    RingConsumer(String name) {
        this.name = name;
    }
}
