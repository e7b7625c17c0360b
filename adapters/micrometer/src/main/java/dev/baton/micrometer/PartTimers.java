package dev.baton.micrometer;

import dev.baton.MessageHandler;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;

/** The timers of one part, one pair for each registry. Recorded by the part's loop; registries read on any thread. */
final class PartTimers {
    private static final Duration SHORTEST = Duration.ofNanos(1_000);
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final Tags tags;
    private volatile Timer[] service = {};
    private volatile Timer[] latency = {};
    /** The handlers of the part's present and former runs, one for each service object; those of former runs disappear. */
    private final Set<SampledHandler> handlers =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    PartTimers(Registries registries, Tags tags) {
        this.tags = tags;
        registries.add(this, this::addService);
        registries.add(this, this::addLatency);
    }

    private synchronized Meter addService(MeterRegistry registry) {
        Timer added = timer("baton.service.time", "Time that a service takes for a message, sampled")
                .register(registry);
        service = and(service, added);
        return added;
    }

    private synchronized Meter addLatency(MeterRegistry registry) {
        Timer added = timer(
                        "baton.message.latency", "Time from a message's origin until a service has handled it, sampled")
                .register(registry);
        latency = and(latency, added);
        return added;
    }

    private Timer.Builder timer(String name, String description) {
        return Timer.builder(name)
                .description(description)
                .tags(tags)
                .publishPercentileHistogram()
                .minimumExpectedValue(SHORTEST)
                .maximumExpectedValue(LONGEST);
    }

    private static Timer[] and(Timer[] timers, Timer added) {
        Timer[] all = Arrays.copyOf(timers, timers.length + 1);
        all[timers.length] = added;
        return all;
    }

    /** A handler of a new run, for one service object of the part. */
    SampledHandler handler(MessageHandler next) {
        SampledHandler made = new SampledHandler(this, next);
        handlers.add(made);
        return made;
    }

    /** Passes a nudge on. May be called by any thread. */
    void nudge() {
        handlers.forEach(SampledHandler::nudge);
    }

    void service(long nanos) {
        record(service, nanos);
    }

    void latency(long nanos) {
        record(latency, nanos);
    }

    private static void record(Timer[] timers, long nanos) {
        for (Timer each : timers) {
            each.record(nanos, TimeUnit.NANOSECONDS);
        }
    }
}
