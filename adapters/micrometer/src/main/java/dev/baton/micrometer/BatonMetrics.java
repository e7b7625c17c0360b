package dev.baton.micrometer;

import dev.baton.Deployment;
import dev.baton.RunningChain;
import dev.baton.ServiceContext;
import dev.baton.manage.StorageWatch;
import dev.baton.run.Loops;
import dev.baton.status.ChainStatus;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Meters of running chains, their loops, and the disk of their topics.
 * <pre>{@code
 * BatonMetrics metrics = new BatonMetrics();
 * metrics.bindTo(registry);
 * Loops loops = metrics.add(Loops.cooperative(1));
 * RunningChain running = metrics.start(chain.on(transport).with(loops));
 * }</pre>
 *
 * <p>Positions, backlogs and ages are read from the loops when a registry reads them, at most twice a second. Times of services are sampled
 * on the loops: see {@link #watch}. Chains that are closed lose their meters at the next reading, except their timers, which a chain of
 * the same name continues. The documentation (docs/observability.md) lists all meters.
 *
 * <p>Registries may be bound before and after chains are added. Meters of Micrometer refer weakly to what they read: keep this object for
 * as long as its meters matter. Thread-safe.
 */
public final class BatonMetrics implements MeterBinder {
    private static final Duration MAX_AGE = Duration.ofMillis(500);

    private final Registries registries = new Registries();
    private final Events events = new Events();
    private final Map<Tags, PartTimers> timers = new ConcurrentHashMap<>();
    private final Map<Object, ChainMeters> chains = new IdentityHashMap<>(); // by the source of their status
    private final List<LoopMeters> loops = new CopyOnWriteArrayList<>();
    private final List<StorageMeters> storage = new CopyOnWriteArrayList<>();

    /** Creates metrics without a registry. */
    public BatonMetrics() {}

    /** Registers all meters here as well, those of chains that are added later included. Idempotent for one registry. */
    @Override
    public void bindTo(MeterRegistry registry) {
        registries.bind(Objects.requireNonNull(registry, "registry"));
    }

    /**
     * Makes a deployment count retries, dead letters, restarts and the time of back-pressure, and time its services. Before it is started;
     * {@link #add(RunningChain)} follows.
     *
     * <p>Times are sampled: every message up to a rate of about 1,000 a second for each part, and beyond that about as many, at random
     * intervals. The others cost a decrement and a call. A quantile {@code q} from {@code n} samples has a standard error of {@code sqrt(q
     * (1 - q) / n)} in its rank; a single slow message is likely to be missed. A time includes a reading of the clock, 20 to 30 ns.
     *
     * @param deployment which is unchanged
     * @return a deployment that does so
     */
    public Deployment watch(Deployment deployment) {
        Events.Watch watch = events.watch();
        return deployment
                .around((context, next) -> {
                    watch.opened(context);
                    return timers(context).handler(next);
                })
                .listen(watch);
    }

    /** Returns the timers of an earlier run, if the chain was started again. */
    private PartTimers timers(ServiceContext context) {
        Tags tags = Tags.of("chain", context.chain(), "service", context.service(), "topic", context.input());
        return timers.computeIfAbsent(tags, added -> new PartTimers(registries, added));
    }

    /**
     * Watches a deployment, starts it, and adds the chain.
     *
     * @param deployment which is not watched yet
     * @return the chain
     */
    public RunningChain start(Deployment deployment) {
        return add(watch(deployment).start());
    }

    /**
     * Adds meters of a running chain, which keeps them while it restarts, and of its partitions that run here, now and later. While another
     * chain of its name, instance and partition is not closed, such as a tap with the same consumer name at another topic, the tag {@code
     * chain} of the later one ends with a number, as in "audit #2", and a warning is logged. Idempotent.
     *
     * @param chain of a {@linkplain #watch watched} deployment, for all of its meters
     * @return the chain
     */
    public RunningChain add(RunningChain chain) {
        add(
                chain,
                () -> chain.status(MAX_AGE),
                chain.isPartitioned() ? () -> chain.statuses(MAX_AGE) : null,
                () -> isOpen(chain.status()));
        return chain;
    }

    private static boolean isOpen(ChainStatus status) {
        return status.phase() != ChainStatus.Phase.CLOSED;
    }

    /**
     * Adds meters of a chain whose status has another source.
     *
     * @param status called for each figure by the thread that reads the meters; it should keep an answer for a while
     */
    public void add(Supplier<ChainStatus> status) {
        add(status, null);
    }

    /**
     * Adds meters of a chain with partitions whose status has another source, as {@link #add(Supplier)} does.
     *
     * @param status of all partitions together
     * @param partitions the status of each partition that is here, by its number; null for a chain without partitions
     */
    public void add(Supplier<ChainStatus> status, Supplier<Map<Integer, ChainStatus>> partitions) {
        add(status, status, partitions, () -> isOpen(status.get()));
    }

    private void add(
            Object owner,
            Supplier<ChainStatus> status,
            Supplier<Map<Integer, ChainStatus>> partitions,
            BooleanSupplier live) {
        ChainMeters added = new ChainMeters(
                registries,
                events,
                () -> {
                    timers.values().forEach(PartTimers::nudge);
                    return status.get();
                },
                partitions,
                live);
        synchronized (chains) {
            chains.values().removeIf(ChainMeters::isClosed);
            if (chains.containsKey(owner)) {
                return;
            }
            added.add(freeNumber(added.identity()));
            chains.put(owner, added);
        }
        added.refresh();
    }

    /** Returns the lowest number that no chain of an identity has that is not closed. */
    private int freeNumber(ChainMeters.Identity identity) {
        Set<Integer> taken = chains.values().stream()
                .filter(each -> each.identity().equals(identity) && each.isLive())
                .map(ChainMeters::number)
                .collect(Collectors.toSet());
        int free = 1;
        while (taken.contains(free)) {
            free++;
        }
        return free;
    }

    /**
     * Adds meters of loops, which measure their sweeps from now on. The tags of a second one and of later ones end with its
     * number, as in "baton-loop-1 #2".
     *
     * @param added of any kind
     * @return the loops
     */
    public Loops add(Loops added) {
        synchronized (loops) {
            LoopMeters meters = new LoopMeters(registries, added.measureSweeps(), loops.size() + 1);
            meters.refresh();
            loops.add(meters);
        }
        return added;
    }

    /**
     * Adds meters of the disk that stores topics. They have no value while the transport cannot report it, as over Kafka.
     *
     * @param watch whose name distinguishes it from others; read by a registry, which takes a sample every 30 seconds at most
     * @return the watch
     */
    public StorageWatch add(StorageWatch watch) {
        StorageMeters meters = new StorageMeters(registries, watch);
        meters.add();
        storage.add(meters);
        return watch;
    }
}
