package dev.baton.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The bound registries and the meters in each of them. A registry that is bound later receives all meters. Thread-safe. */
final class Registries {
    private record Registered(MeterRegistry registry, Meter meter) {}

    private final List<MeterRegistry> bound = new ArrayList<>();
    private final Map<Object, List<Function<MeterRegistry, Meter>>> meters = new LinkedHashMap<>(); // by owner
    private final Map<Object, List<Registered>> registered = new LinkedHashMap<>();

    synchronized void bind(MeterRegistry registry) {
        if (!bound.contains(registry)) {
            bound.add(registry);
            meters.forEach((owner, all) -> all.forEach(each -> register(owner, each, registry)));
        }
    }

    /** Registers a meter in all registries, until its owner is removed. */
    synchronized void add(Object owner, Function<MeterRegistry, Meter> meter) {
        meters.computeIfAbsent(owner, added -> new ArrayList<>()).add(meter);
        bound.forEach(registry -> register(owner, meter, registry));
    }

    private void register(Object owner, Function<MeterRegistry, Meter> meter, MeterRegistry registry) {
        Registered added = new Registered(registry, meter.apply(registry));
        if (isTakenFromOthers(owner, added)) { // such as a chain that was closed a moment ago, and started again
            registry.remove(added.meter());
            added = new Registered(registry, meter.apply(registry));
        }
        registered.computeIfAbsent(owner, one -> new ArrayList<>()).add(added);
    }

    /** Takes a meter that a registry had already from its former owner; returns whether there was one. */
    private boolean isTakenFromOthers(Object owner, Registered found) {
        boolean isTaken = false;
        for (Map.Entry<Object, List<Registered>> each : registered.entrySet()) {
            isTaken |= each.getKey() != owner
                    && each.getValue()
                            .removeIf(one -> one.registry() == found.registry() && one.meter() == found.meter());
        }
        return isTaken;
    }

    /** Removes the meters of an owner. Idempotent. */
    synchronized void remove(Object owner) {
        meters.remove(owner);
        List<Registered> removed = registered.remove(owner);
        if (removed != null) {
            removed.forEach(each -> each.registry().remove(each.meter()));
        }
    }
}
