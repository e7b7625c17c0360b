package dev.baton.broken.memory;

/** What a topic remembers of a named consumer. */
public final class MemoryConsumer {
    public final String name;

    /** Newest sequence acknowledged. */
    public volatile long acknowledged;

    /** Newest sequence consumed, by whichever reader. */
    public volatile long read;

    public boolean hasReader; // guarded by the topic

    /** The newest, where the others are replaced. */
    public volatile MemoryReader reader;

    public MemoryConsumer(String name, long acknowledged) {
        this.name = name;
        this.acknowledged = acknowledged;
        this.read = acknowledged;
    }
}
