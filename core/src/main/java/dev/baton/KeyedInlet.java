package dev.baton;

import dev.baton.partitions.Partitions;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The inlet of a chain with partitions. It has an inlet for each partition and selects it by key, so that messages with the
 * same key stay in order. All of these inlets share one connection, and are closed with the partitions. Confined to the first
 * thread that uses one of them.
 */
public final class KeyedInlet {
    private final Partitions partitions;
    private final Inlet[] inlets;

    /**
     * Combines the inlets of all partitions.
     *
     * @param partitions assignment that determines the partition of a key
     * @param inlets one for each partition, in order
     */
    public KeyedInlet(Partitions partitions, Inlet[] inlets) {
        this.partitions = partitions;
        this.inlets = inlets;
    }

    /**
     * {@return the inlet of the partition to which a number belongs}
     *
     * @param key any number
     */
    public Inlet of(long key) {
        return inlets[partitions.partitionOf(key)];
    }

    /**
     * {@return the inlet of the partition to which a byte array belongs}
     *
     * @param key key; all of its bytes are used
     */
    public Inlet of(byte[] key) {
        return inlets[partitions.partitionOf(key)];
    }

    /**
     * {@return the inlet of the partition to which a text belongs} Allocates the text's bytes.
     *
     * @param key key; its bytes in UTF-8 are used
     */
    public Inlet of(String key) {
        return inlets[partitions.partitionOf(key)];
    }

    /**
     * Sends a value through the inlet of its key's partition. The message carries the key ({@link Message#key}).
     *
     * @param <T> the values
     * @param value sent as {@link Sender#send(Object, Serde, ByteBuffer)} does
     * @param codec codec that encodes it
     * @param key bytes from position to limit, neither of which moves; not null
     */
    public <T> void send(T value, Serde<T> codec, ByteBuffer key) {
        of(key).send(value, codec, key);
    }

    /**
     * Sends a value as {@link #send(Object, Serde, ByteBuffer)} does, with a trace context.
     *
     * @param <T> the values
     * @param value sent as {@link Sender#send(Object, Serde, ByteBuffer, ByteBuffer)} does
     * @param codec codec that encodes it
     * @param key bytes from position to limit, neither of which moves; not null
     * @param trace trace context as for {@link Message#trace}; null for none
     */
    public <T> void send(T value, Serde<T> codec, ByteBuffer key, ByteBuffer trace) {
        of(key).send(value, codec, key, trace);
    }

    private Inlet of(ByteBuffer key) {
        return inlets[partitions.partitionOf(Objects.requireNonNull(key, "key, which selects the partition"))];
    }

    /**
     * {@return the inlet of a partition, for a sender that does not use {@link Partitions} to select it}
     *
     * @param partition 0 to one less than {@link Partitions#count}
     */
    public Inlet partition(int partition) {
        return inlets[partition];
    }

    /** {@return the partitions, which determine to which of them a key belongs} */
    public Partitions partitions() {
        return partitions;
    }
}
