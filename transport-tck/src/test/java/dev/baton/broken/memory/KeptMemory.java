package dev.baton.broken.memory;

import dev.baton.spi.Guarantee;
import dev.baton.spi.TopicInspector;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The memory transport whose topics outlive it and can be looked at. Thread-safe. */
public class KeptMemory extends MemoryTransport {
    /** With the topics that another one has left. */
    public KeptMemory(Map<String, MemoryTopic> kept) {
        super(kept);
    }

    /** Makes transports that see each other's topics. */
    public static Supplier<MemoryTransport> whole() {
        Map<String, MemoryTopic> kept = new HashMap<>();
        return () -> new KeptMemory(kept);
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

    public MemoryInspector newInspector(MemoryTopic topic) {
        return new MemoryInspector(topic);
    }
}
