package dev.baton.engine.inlet;

import dev.baton.MessageFields;
import dev.baton.Serde;
import dev.baton.SharedInlet;
import dev.baton.SharedInlet.Offer;
import dev.baton.partitions.Partitions;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The shared inlet of a chain with partitions: one queue for each partition, which the key selects. Thread-safe. */
public final class PartitionedInlet implements SharedInlet {
    private final String chain;
    private final Partitions partitions;
    private final List<InletQueue> queues;

    /**
     * Combines the queues of all partitions.
     *
     * @param queues one for each partition, in order
     */
    public PartitionedInlet(String chain, Partitions partitions, List<InletQueue> queues) {
        this.chain = chain;
        this.partitions = partitions;
        this.queues = List.copyOf(queues);
    }

    @Override
    public Offer offer(ByteBuffer payload, MessageFields fields) {
        return of(fields).offer(payload, fields);
    }

    @Override
    public <T> Offer offer(T value, Serde<T> codec, MessageFields fields) {
        return of(fields).offer(value, codec, fields);
    }

    @Override
    public CompletableFuture<Long> offerStored(ByteBuffer payload, MessageFields fields) {
        return of(fields).offerStored(payload, fields);
    }

    @Override
    public <T> CompletableFuture<Long> offerStored(T value, Serde<T> codec, MessageFields fields) {
        return of(fields).offerStored(value, codec, fields);
    }

    List<InletQueue> queues() {
        return queues;
    }

    InletQueue of(MessageFields fields) {
        ByteBuffer key = fields.key();
        if (key == null && partitions.count() > 1) {
            throw new IllegalArgumentException("a message without a key; chain " + chain + " has " + partitions.count()
                    + " partitions, and the key selects one of them: set it with MessageFields.key");
        }
        return queues.get(key == null ? 0 : partitions.partitionOf(key));
    }
}
