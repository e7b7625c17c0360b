package dev.baton.tck.broken;

/** What a topic remembers of a named consumer. */
final class MemoryConsumer {
    final String name;

    /** Newest sequence acknowledged. */
    volatile long acknowledged;

    /** Newest sequence consumed, by whichever reader. */
    volatile long read;

    boolean hasReader; // guarded by the topic

    /** The newest, where the others are replaced. */
    volatile MemoryReader reader;

    MemoryConsumer(String name, long acknowledged) {
        this.name = name;
        this.acknowledged = acknowledged;
        this.read = acknowledged;
    }
}
