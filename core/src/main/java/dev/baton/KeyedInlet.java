package dev.baton;

import java.nio.ByteBuffer;

/**
 * The inlet of a chain with partitions: an inlet for each, found by key, so that the messages of a key stay in order. All
 * of them share one connection. Confined to the first thread that uses one of them; closed with its partitions.
 */
public final class KeyedInlet {
    private final Partitions partitions;
    private final Inlet[] inlets;

    KeyedInlet(Partitions partitions, Inlet[] inlets) {
        this.partitions = partitions;
        this.inlets = inlets;
    }

    /** The inlet of a number's partition. */
    public Inlet of(long key) {
        return inlets[partitions.partitionOf(key)];
    }

    /** The inlet of the partition of some bytes. */
    public Inlet of(byte[] key) {
        return inlets[partitions.partitionOf(key)];
    }

    /** The inlet of a text's partition; allocates the text's bytes. */
    public Inlet of(String key) {
        return inlets[partitions.partitionOf(key)];
    }

    /** Sends a value through the partition of its key, which the message carries ({@link Message#key}), as an inlet does. */
    public <T> void send(T value, Serde<T> codec, ByteBuffer key) {
        inlets[partitions.partitionOf(key)].send(value, codec, key);
    }

    /** The same for a message with a trace context as well; null for none. */
    public <T> void send(T value, Serde<T> codec, ByteBuffer key, ByteBuffer trace) {
        inlets[partitions.partitionOf(key)].send(value, codec, key, trace);
    }

    /** The inlet of a partition, for a sender that knows better than {@link Partitions} where a key belongs. */
    public Inlet partition(int partition) {
        return inlets[partition];
    }

    /** Which partition a key belongs to. */
    public Partitions partitions() {
        return partitions;
    }
}
