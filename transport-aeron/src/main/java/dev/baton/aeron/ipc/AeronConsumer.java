package dev.baton.aeron.ipc;

import java.util.concurrent.atomic.AtomicLong;

/** What a topic remembers of a named consumer, whether or not it is being read. */
final class AeronConsumer {
    /** In place of a sequence: the first reader has not looked yet. */
    static final long UNSEEN = -1;

    final String name;

    /** Log position of the first fragment that it needs; moved by the reader, read by the writer. */
    final AtomicLong heldFrom;

    /** Sequence; moved by the reader, read by the next one under the topic's monitor, and by the writer. */
    final AtomicLong acknowledged = new AtomicLong(UNSEEN);

    boolean hasReader; // guarded by the topic
    boolean hadReader; // guarded by the topic: what it needs is kept until it is forgotten

    AeronConsumer(String name, long heldFrom) {
        this.name = name;
        this.heldFrom = new AtomicLong(heldFrom);
    }
}
