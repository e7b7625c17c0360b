package dev.baton.micrometer;

import dev.baton.ChainStatus;
import dev.baton.PartStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The meters of one running chain. Parts that come, as partitions do, get theirs at the reading after; parts that go keep
 * theirs, without a value, until the chain is closed. Thread-safe.
 */
final class ChainMeters {
    /** What tells the parts of a chain apart. */
    private record Key(String name, String input, String output) {
        static Key of(PartStatus part) {
            return new Key(part.name(), part.input(), part.output());
        }
    }

    /** An answer, by part. */
    private record Seen(ChainStatus status, Map<Key, PartStatus> parts) {}

    private final Registries registries;
    private final Events events;
    private final Supplier<ChainStatus> source;
    private final String name;
    private final Map<Key, PartMeters> known = new HashMap<>(); // refers strongly to what the meters read
    private Seen seen;
    private boolean isClosed;

    ChainMeters(Registries registries, Events events, Supplier<ChainStatus> source) {
        this.registries = registries;
        this.events = events;
        this.source = source;
        this.name = source.get().chain();
        addMeters(Tags.of("chain", name));
    }

    private void addMeters(Tags tags) {
        registries.add(
                this,
                registry -> Gauge.builder("baton.chain.running", this, ChainMeters::running)
                        .description("1 while the chain runs, 0 when it has failed or is closing")
                        .tags(tags)
                        .register(registry));
        registries.add(
                this,
                registry -> TimeGauge.builder("baton.chain.blocked", this, TimeUnit.NANOSECONDS, ChainMeters::blocked)
                        .description("How long a service has held up its loop, 0 when none does")
                        .tags(tags)
                        .register(registry));
        registries.add(
                this,
                registry -> FunctionCounter.builder(
                                "baton.chain.restarts", events.restarts(name), restarts -> restarts.get())
                        .description("Restarts after failures")
                        .tags(tags)
                        .register(registry));
    }

    String name() {
        return name;
    }

    private double running() {
        return refresh().phase() == ChainStatus.Phase.RUNNING ? 1 : 0;
    }

    private double blocked() {
        return refresh().blockedFor().toNanos();
    }

    /** Where a part stands; null: it is gone, or its loop does not answer. */
    PartStatus part(PartStatus first) {
        refresh();
        synchronized (this) {
            return seen.parts().get(Key.of(first));
        }
    }

    /** Whether the chain is closed; then its meters are gone. */
    boolean isClosed() {
        refresh();
        synchronized (this) {
            return isClosed;
        }
    }

    /** Asks for the chain's status, and adds meters of parts that are new. */
    ChainStatus refresh() {
        ChainStatus now = source.get();
        Set<PartMeters> added = new HashSet<>();
        boolean hasEnded = false;
        synchronized (this) {
            if (isClosed || seen != null && seen.status() == now) {
                return now;
            }
            Map<Key, PartStatus> parts = new HashMap<>();
            now.parts().forEach(part -> parts.put(Key.of(part), part));
            seen = new Seen(now, parts);
            if (now.phase() == ChainStatus.Phase.CLOSED) {
                isClosed = true;
                hasEnded = true;
            } else {
                parts.forEach((key, part) -> known.computeIfAbsent(key, unknown -> {
                    PartMeters meters = new PartMeters(this, registries, events, part);
                    added.add(meters);
                    return meters;
                }));
            }
        }
        added.forEach(PartMeters::add); // not within: a registry may read what is registered
        if (hasEnded) {
            registries.remove(this);
        }
        return now;
    }
}
