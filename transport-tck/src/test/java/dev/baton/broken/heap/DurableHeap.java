package dev.baton.broken.heap;

import dev.baton.spi.Guarantee;
import dev.baton.spi.TopicInspector;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The transport in the heap whose topics outlive it and can be looked at. Thread-safe. */
public class DurableHeap extends HeapTransport {
    /** With the topics that another one has left. */
    public DurableHeap(Map<String, HeapTopic> kept) {
        super(kept);
    }

    /** Makes transports that see each other's topics. */
    public static Supplier<HeapTransport> whole() {
        Map<String, HeapTopic> kept = new HashMap<>();
        return () -> new DurableHeap(kept);
    }

    @Override
    public Set<Guarantee> guarantees() {
        Set<Guarantee> guarantees = EnumSet.copyOf(super.guarantees());
        guarantees.add(Guarantee.DURABLE);
        return guarantees;
    }

    @Override
    public TopicInspector inspect(String name) {
        return newInspector(topic(name));
    }

    public HeapInspector newInspector(HeapTopic topic) {
        return new HeapInspector(topic);
    }
}
