package dev.baton.broken.heap;

/** What a topic remembers of a named consumer. */
public final class HeapConsumer {
    public final String name;

    /** Newest sequence acknowledged. */
    public volatile long acknowledged;

    /** Newest sequence consumed, by whichever reader. */
    public volatile long read;

    public boolean hasReader; // guarded by the topic

    /** The newest, where the others are replaced. */
    public volatile HeapReader reader;

    public HeapConsumer(String name, long acknowledged) {
        this.name = name;
        this.acknowledged = acknowledged;
        this.read = acknowledged;
    }
}
