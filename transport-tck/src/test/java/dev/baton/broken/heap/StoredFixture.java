package dev.baton.broken.heap;

import dev.baton.spi.Transport;
import dev.baton.tck.StorageFault;
import dev.baton.tck.TransportFixture;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/** A transport in the heap whose storage can be damaged, whole or broken. */
public record StoredFixture(
        Function<Map<String, HeapTopic>, StoredHeap> transport, Duration longestWait, Map<String, HeapTopic> kept)
        implements TransportFixture {
    /** That keeps the contract. */
    public static StoredFixture whole() {
        return of(StoredHeap::new, Duration.ofSeconds(10));
    }

    public static StoredFixture of(Function<Map<String, HeapTopic>, StoredHeap> transport, Duration longestWait) {
        return new StoredFixture(transport, longestWait, new HashMap<>());
    }

    @Override
    public Transport open() {
        return transport.apply(kept);
    }

    @Override
    public Transport reopen() {
        return open();
    }

    @Override
    public OptionalInt backlog() {
        return OptionalInt.of(HeapTopic.SLOTS);
    }

    @Override
    public Set<StorageFault> storageFaults() {
        return EnumSet.allOf(StorageFault.class);
    }

    @Override
    public void begin(StorageFault fault, String topic) {
        transport.apply(kept).begin(fault, topic);
    }

    @Override
    public void heal() {
        transport.apply(kept).heal();
    }

    @Override
    public void close() {
        // nothing is stored
    }
}
