package dev.baton.lab.study.selftest;

import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.trial.ends.Window;
import dev.baton.spi.Connection;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Queues on the heap, one writer and one reader each, that lose, delay, repeat, swap and alter messages, and stall their threads, as a
 * study requires. Otherwise they are ordinary. Thread-safe; connections are not.
 */
final class FaultyTransport implements Transport, SelftestWorkload.Planted {
    static final int MOST_PAYLOAD = 4096;

    private final TrialPlan plan;
    final SelftestStudy study;
    final Window window;
    final Map<String, FaultyTopic> topics = new ConcurrentHashMap<>();
    private final List<FaultyConnection> connections = new CopyOnWriteArrayList<>();

    /**
     * Creates a transport.
     *
     * @param study names the faults
     */
    FaultyTransport(TrialPlan plan, SelftestStudy study, Window window) {
        this.plan = plan;
        this.study = study;
        this.window = window;
    }

    @Override
    public String name() {
        return SelftestStudy.TRANSPORT;
    }

    @Override
    public Set<Guarantee> guarantees() {
        return Set.of(Guarantee.IMMEDIATE);
    }

    @Override
    public int maxPayload() {
        return MOST_PAYLOAD;
    }

    @Override
    public Map<String, String> properties() {
        return Map.of("durability", "none; it loses messages on purpose");
    }

    @Override
    public Connection connect() {
        FaultyConnection connection = new FaultyConnection(this);
        connections.add(connection);
        return connection;
    }

    /** Creates the topics instance by instance, each in the order of its chain. */
    @Override
    public Set<String> createTopics(Collection<String> names) {
        Set<String> created = new TreeSet<>(names);
        created.removeAll(topics.keySet());
        for (String name : names) {
            int hops = plan.shape().services() + 1;
            int index = topics.size();
            topics.computeIfAbsent(name, any -> new FaultyTopic(plan, study, window, index / hops, index % hops));
        }
        return created;
    }

    @Override
    public Set<String> topics() {
        return new TreeSet<>(topics.keySet());
    }

    @Override
    public long sent() {
        return sum(topic -> topic.isFirst, FaultyTopic::storedSequence);
    }

    @Override
    public long handedOut() {
        return sum(topic -> topic.isLast, topic -> topic.read);
    }

    @Override
    public long bunched() {
        return sum(topic -> topic.isFirst, topic -> topic.bunched);
    }

    private long sum(Predicate<FaultyTopic> which, ToLongFunction<FaultyTopic> count) {
        return topics.values().stream().filter(which).mapToLong(count).sum();
    }

    @Override
    public List<Long> ofEachInstance(ToLongFunction<Witness> figure) {
        return IntStream.range(0, plan.shape().instances())
                .mapToObj(instance -> connections.stream()
                        .filter(each -> each.serves(instance))
                        .mapToLong(each -> figure.applyAsLong(each.witness))
                        .sum())
                .toList();
    }

    /** Keeps the topics until {@link #close}, as their counts are read afterwards. */
    @Override
    public void deleteTopics(Collection<String> names) {
        names.stream().map(topics::get).filter(each -> each != null).forEach(FaultyTopic::clear);
    }

    @Override
    public void close() {
        topics.values().forEach(FaultyTopic::clear);
    }
}
