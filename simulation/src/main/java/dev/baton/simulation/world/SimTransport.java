package dev.baton.simulation.world;

import dev.baton.simulation.plan.Setting;
import dev.baton.simulation.time.ProcessKilled;
import dev.baton.simulation.time.SimProcess;
import dev.baton.spi.Connection;
import dev.baton.spi.Extension;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Guarantee;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** One process's access to the simulated storage. Used by its actors. */
final class SimTransport implements Transport {
    private static final int MAX_PAYLOAD = 96;
    private static final int KEY_BYTES = 16;

    final World world;
    final SimProcess process;
    final List<SimConnection> connections = new ArrayList<>(); // open
    final List<SimConnection.PreparedOpening<?>> prepared = new ArrayList<>(); // and not finished
    private final Set<Guarantee> guarantees = EnumSet.of(Guarantee.DURABLE, Guarantee.CROSS_PROCESS);

    SimTransport(World world, SimProcess process) {
        this.world = world;
        this.process = process;
        if (world.setting.isImmediate()) {
            guarantees.add(Guarantee.IMMEDIATE);
        }
        if (world.setting.isExclusive) {
            guarantees.add(Guarantee.EXCLUSIVE);
        }
    }

    @Override
    public String name() {
        return "simulated";
    }

    @Override
    public Set<Guarantee> guarantees() {
        return guarantees;
    }

    @Override
    public int maxPayload() {
        Setting setting = world.setting;
        return MAX_PAYLOAD
                + (setting.isKeyed() || setting.asks ? KEY_BYTES : 0)
                + (setting.asks ? Extension.bytes(Extension.REQUEST_BYTES) : 0);
    }

    @Override
    public Map<String, String> properties() {
        return Map.of();
    }

    @Override
    public Connection connect() {
        checkAlive();
        world.meetOpenFault(process, "connect");
        SimConnection connection = new SimConnection(this, world.scheduler.current);
        connections.add(connection);
        return connection;
    }

    @Override
    public Set<String> createTopics(Collection<String> names) {
        checkAlive();
        Set<String> created = new TreeSet<>();
        for (String name : names) {
            if (world.storage.find(name) == null) {
                world.storage.create(name);
                created.add(name);
            }
        }
        return created;
    }

    @Override
    public Set<String> topics() {
        return new TreeSet<>(world.storage.topics.keySet());
    }

    @Override
    public void deleteTopics(Collection<String> names) {
        checkAlive();
        names.forEach(world.storage::delete);
    }

    @Override
    public boolean forgetConsumer(String topic, String consumer) {
        checkAlive();
        return world.storage.topic(topic).consumers.remove(consumer) != null;
    }

    @Override
    public Set<StartPosition.Kind> startPositions() {
        return EnumSet.of(StartPosition.Kind.STORED, StartPosition.Kind.LATEST, StartPosition.Kind.TIME);
    }

    @Override
    public TopicInspector inspect(String topic) {
        checkAlive();
        return new End(world.storage.topic(topic));
    }

    /** The sequence of a topic's newest frame, and nothing else of it. */
    private record End(SimTopic topic) implements TopicInspector {
        @Override
        public int read(FrameHandler handler, int limit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long newestSequence() {
            SimTopic.Entry newest = topic.newestForReaders();
            return newest == null ? 0 : newest.sequence;
        }

        @Override
        public Map<String, Long> acknowledged() {
            throw new UnsupportedOperationException(); // so starts that fail remove no topics
        }

        @Override
        public void close() {}
    }

    void checkAlive() {
        if (process.isDead) {
            throw new ProcessKilled();
        }
    }

    @Override
    public void close() {}
}
