package dev.baton.micrometer;

import dev.baton.run.Loops;
import dev.baton.run.Loops.LoopStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The meters of some loops. A loop that is started later has meters from the next reading on. Thread-safe. */
final class LoopMeters {
    /** One loop, identified by its thread's name. */
    private final class One {
        private final String name;

        private One(String name) {
            this.name = name;
        }

        private double busySeconds() {
            LoopStatus now = of(name);
            return now == null ? Double.NaN : now.busyNanos() / 1e9;
        }

        private double longestSweepNanos() {
            LoopStatus now = of(name);
            return now == null ? Double.NaN : now.longestSweepNanos();
        }
    }

    private final Registries registries;
    private final Loops loops;
    private final String suffix; // of tags
    private final Map<String, One> known = new HashMap<>(); // refers strongly to what the meters read

    /**
     * Creates the meters.
     *
     * @param number among the added loops, from 1: threads of different loops may have the same name
     */
    LoopMeters(Registries registries, Loops loops, int number) {
        this.registries = registries;
        this.loops = loops;
        this.suffix = number == 1 ? "" : " #" + number;
        registries.add(
                this,
                registry -> Gauge.builder("baton.loops", this, LoopMeters::refresh)
                        .description("Loops that have a thread")
                        .tags("loops", loops + suffix)
                        .register(registry));
    }

    /** Counts the loops, and adds meters of those that are new. */
    double refresh() {
        Set<One> added = new HashSet<>();
        int count = 0;
        synchronized (this) {
            for (LoopStatus each : loops.status()) {
                count++;
                known.computeIfAbsent(each.name(), name -> {
                    One loop = new One(name);
                    added.add(loop);
                    return loop;
                });
            }
        }
        added.forEach(this::add);
        return count;
    }

    private void add(One loop) {
        Tags tags = Tags.of("loop", loop.name + suffix);
        registries.add(
                this,
                registry -> FunctionCounter.builder("baton.loop.busy", loop, One::busySeconds)
                        .description("Time spent in sweeps that found work; its rate is the utilisation")
                        .baseUnit("seconds")
                        .tags(tags)
                        .register(registry));
        registries.add(
                this,
                registry -> TimeGauge.builder(
                                "baton.loop.longest.sweep", loop, TimeUnit.NANOSECONDS, One::longestSweepNanos)
                        .description("Longest sweep of the last 30 to 60 s")
                        .tags(tags)
                        .register(registry));
    }

    private LoopStatus of(String name) {
        for (LoopStatus each : loops.status()) {
            if (each.name().equals(name)) {
                return each;
            }
        }
        return null;
    }
}
