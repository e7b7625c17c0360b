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

    /**
     * {@return the inlet of a number's partition}
     *
     * @param key any number
     */
    public Inlet of(long key) {
        return inlets[partitions.partitionOf(key)];
    }

    /**
     * {@return the inlet of the partition of some bytes}
     *
     * @param key all of them count
     */
    public Inlet of(byte[] key) {
        return inlets[partitions.partitionOf(key)];
    }

    /**
     * {@return the inlet of a text's partition} Allocates the text's bytes.
     *
     * @param key counts by its bytes in UTF-8
     */
    public Inlet of(String key) {
        return inlets[partitions.partitionOf(key)];
    }

    /**
     * Sends a value through the partition of its key, which the message carries ({@link Message#key}), as an inlet does.
     *
     * @param <T> the values
     * @param value sent as {@link Sender#send(Object, Serde, ByteBuffer)} does
     * @param codec that encodes it
     * @param key bytes from position to limit, neither of which moves; not null
     */
    public <T> void send(T value, Serde<T> codec, ByteBuffer key) {
        inlets[partitions.partitionOf(key)].send(value, codec, key);
    }

    /**
     * Sends a value as {@link #send(Object, Serde, ByteBuffer)} does, with a trace context.
     *
     * @param <T> the values
     * @param value sent as {@link Sender#send(Object, Serde, ByteBuffer, ByteBuffer)} does
     * @param codec that encodes it
     * @param key bytes from position to limit, neither of which moves; not null
     * @param trace as of {@link Message#trace}; null for none
     */
    public <T> void send(T value, Serde<T> codec, ByteBuffer key, ByteBuffer trace) {
        inlets[partitions.partitionOf(key)].send(value, codec, key, trace);
    }

    /**
     * {@return the inlet of a partition, for a sender that knows better than {@link Partitions} where a key belongs}
     *
     * @param partition 0 to one less than {@link Partitions#count}
     */
    public Inlet partition(int partition) {
        return inlets[partition];
    }

    /** {@return the partitions, which say where a key belongs} */
    public Partitions partitions() {
        return partitions;
    }
}
