package dev.baton.micrometer;

import dev.baton.spi.PartitionTopic;
import dev.baton.status.ChainStatus;
import dev.baton.status.ChainStatus.HeldBack;
import dev.baton.status.PartStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The meters of one running chain. New parts and partitions have meters from the next reading on; those that leave keep theirs, without a
 * value, until the chain is closed. Thread-safe.
 */
final class ChainMeters {
    /** The identity of a part within its chain. */
    private record Key(String name, String input, String output) {
        static Key of(PartStatus part) {
            return new Key(
                    part.name(),
                    part.input() == null ? null : part.input().topic(),
                    part.output() == null ? null : part.output().topic());
        }

        int partition() {
            return PartitionTopic.partition(input == null ? output : input);
        }
    }

    /** A topic, and a consumer that has held it back. */
    private record Holding(String topic, String consumer) {
        static Holding of(HeldBack held) {
            return new Holding(held.topic(), held.consumer());
        }
    }

    /** The values of the tags of a chain's own meters. A number distinguishes chains of one identity. Immutable, thread-safe. */
    record Identity(String name, int instance, int partition) {}

    /** A status, by part. */
    private record Seen(ChainStatus status, Map<Key, PartStatus> parts) {}

    private static final System.Logger LOG = System.getLogger("dev.baton.micrometer");

    private final Registries registries;
    private final Events events;
    private final Supplier<ChainStatus> source;
    private final BooleanSupplier live;
    private final Identity identity;
    private final String reads; // topic of the first part; null for none
    private volatile int number; // among the chains of its identity, from 1
    private final Map<Key, PartMeters> known = new HashMap<>(); // refers strongly to what the meters read
    private final Supplier<Map<Integer, ChainStatus>> partitions; // null: it has none
    private final Set<Integer> knownPartitions = new HashSet<>();
    private final Map<Integer, Growth> restarts = new ConcurrentHashMap<>(); // by partition
    private final Set<Holding> knownHoldings = new HashSet<>();
    private Seen seen;
    private boolean isClosed;

    /**
     * Prepares the meters.
     *
     * @param partitions the status of each partition; null for a chain without
     * @param live whether the chain is not closed at present
     */
    ChainMeters(
            Registries registries,
            Events events,
            Supplier<ChainStatus> source,
            Supplier<Map<Integer, ChainStatus>> partitions,
            BooleanSupplier live) {
        this.registries = registries;
        this.events = events;
        this.source = source;
        this.partitions = partitions;
        this.live = live;
        ChainStatus first = source.get();
        reads = first.parts().stream()
                .limit(1)
                .filter(part -> part.input() != null)
                .map(part -> part.input().topic())
                .findFirst()
                .orElse(null);
        int partition = first.chain().partition();
        boolean isOfOnePartition = partitions == null && partition == PartitionTopic.NONE && reads != null;
        identity = new Identity(
                first.chain().name(),
                first.chain().instance(),
                isOfOnePartition ? PartitionTopic.partition(reads) : partition);
    }

    /**
     * Adds the meters.
     *
     * @param given number of the chain among those of its identity, from 1
     */
    void add(int given) {
        number = given;
        if (number > 1) {
            LOG.log(
                    Level.WARNING,
                    "meters of a chain " + identity.name() + " with instance " + identity.instance()
                            + " are registered already, and it is not closed: those of this one"
                            + (reads == null ? "" : ", which reads " + reads + ",") + " have the tag chain=\"" + tag()
                            + "\"; give each chain a name or an instance of its own, and each tap a consumer name");
        }
        if (partitions == null) {
            addMeters(identity.partition());
        } else {
            addPartitions();
        }
    }

    Identity identity() {
        return identity;
    }

    /** Returns whether the chain is not closed, whatever an earlier status said. May wait for its loops. */
    boolean isLive() {
        return live.getAsBoolean();
    }

    /** Adds the meter that reads the status while a member has no partition yet, so that the others are added. */
    private void addPartitions() {
        registries.add(
                this,
                registry -> Gauge.builder("baton.partitions", this, ChainMeters::held)
                        .description("Partitions that run here")
                        .tags("chain", tag(), "instance", Integer.toString(identity.instance()))
                        .register(registry));
    }

    private int held() {
        refresh();
        return partitions.get().size();
    }

    private void addMeters(int partition) {
        Tags tags = Tags.of(
                "chain",
                tag(),
                "instance",
                Integer.toString(identity.instance()),
                "partition",
                partition == PartitionTopic.NONE ? "none" : Integer.toString(partition));
        registries.add(
                this,
                registry -> Gauge.builder("baton.chain.running", this, each -> each.running(partition))
                        .description("1 while the chain runs, 0 when it has failed, restarts or is closing")
                        .tags(tags)
                        .register(registry));
        registries.add(
                this,
                registry -> TimeGauge.builder(
                                "baton.chain.blocked", this, TimeUnit.NANOSECONDS, each -> each.blocked(partition))
                        .description("Time for which a call of a service has blocked its loop, 0 for none")
                        .tags(tags)
                        .register(registry));
        registries.add(
                this,
                registry -> FunctionCounter.builder("baton.chain.restarts", this, each -> each.restarts(partition))
                        .description("Restarts after failures")
                        .tags(tags)
                        .register(registry));
    }

    private void addMeters(Holding holding) {
        Tags tags = Tags.of("chain", tag(), "topic", holding.topic(), "consumer", holding.consumer());
        registries.add(
                this,
                registry -> Gauge.builder("baton.held.back", this, each -> each.heldBack(holding, HeldBack::frames))
                        .description("Lag of the consumer whose unread messages fill its topic, otherwise 0")
                        .baseUnit("messages")
                        .tags(tags)
                        .register(registry));
        registries.add(
                this,
                registry -> TimeGauge.builder(
                                "baton.held.back.age",
                                this,
                                TimeUnit.NANOSECONDS,
                                each -> each.heldBack(holding, HeldBack::nanos))
                        .description("Time for which the topic has taken no message because of a consumer, otherwise 0")
                        .tags(tags)
                        .register(registry));
    }

    private double heldBack(Holding holding, ToLongFunction<HeldBack> figure) {
        return refresh().heldBack().stream()
                .filter(each -> Holding.of(each).equals(holding))
                .mapToLong(figure)
                .max()
                .orElse(0);
    }

    String name() {
        return identity.name();
    }

    int instance() {
        return identity.instance();
    }

    int number() {
        return number;
    }

    /** Value of the tag that names the chain. */
    String tag() {
        return number > 1 ? identity.name() + " #" + number : identity.name();
    }

    private double running(int partition) {
        ChainStatus status = of(partition);
        return status == null ? Double.NaN : status.phase() == ChainStatus.Phase.RUNNING ? 1 : 0;
    }

    private double blocked(int partition) {
        ChainStatus status = of(partition);
        return status == null
                ? Double.NaN
                : status.blocked().map(part -> part.duration().toNanos()).orElse(0L);
    }

    private double restarts(int partition) {
        ChainStatus status = of(partition);
        Growth growth = restarts.computeIfAbsent(partition, first -> {
            Growth begun = new Growth();
            begun.at(0);
            return begun;
        });
        return growth.at(status == null ? PartStatus.UNKNOWN : status.restarts());
    }

    /** Returns the status of a partition, or of a chain without; null when the partition is no longer here. */
    private ChainStatus of(int partition) {
        ChainStatus whole = refresh();
        return partitions == null ? whole : partitions.get().get(partition);
    }

    /** Returns the present status of a part; null when the part has left, or its loop does not respond. */
    PartStatus part(PartStatus first) {
        refresh();
        synchronized (this) {
            return seen.parts().get(Key.of(first));
        }
    }

    /** {@return whether the chain is closed and its meters are removed} */
    boolean isClosed() {
        refresh();
        synchronized (this) {
            return isClosed;
        }
    }

    /** Reads the chain's status, and adds meters of new parts and partitions. */
    ChainStatus refresh() {
        ChainStatus now = source.get();
        Set<Integer> here = partitions == null ? Set.of() : partitions.get().keySet();
        Set<Integer> come = new HashSet<>();
        Set<Holding> held = new HashSet<>();
        Set<PartMeters> added = new HashSet<>();
        boolean hasEnded = false;
        synchronized (this) {
            if (isClosed || seen != null && seen.status() == now) {
                return now;
            }
            here.stream().filter(knownPartitions::add).forEach(come::add);
            now.heldBack().stream().map(Holding::of).filter(knownHoldings::add).forEach(held::add);
            Map<Key, PartStatus> parts = new HashMap<>();
            now.parts().forEach(part -> parts.put(Key.of(part), part));
            seen = new Seen(now, parts);
            boolean isElsewhere = now.phase() == ChainStatus.Phase.STANDING_BY;
            known.forEach((key, meters) -> {
                if (isElsewhere || partitions != null && !here.contains(key.partition())) {
                    meters.leave();
                }
            });
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
        come.forEach(partition -> addMeters(partition));
        held.forEach(this::addMeters);
        added.forEach(PartMeters::add); // not within: a registry may read what is registered
        if (hasEnded) {
            registries.remove(this);
        }
        return now;
    }
}
