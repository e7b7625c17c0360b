package dev.baton.aeron;

import dev.baton.spi.ByteSize;
import dev.baton.spi.Connection;
import dev.baton.spi.Guarantee;
import dev.baton.spi.TopicName;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportException;
import io.aeron.ExclusivePublication;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Carries topics in shared memory, as streams of Aeron IPC, one {@link AeronTopic} each. The media driver is embedded and has
 * no threads: a writer that needs room runs it, and so does what opens or closes something.
 *
 * <p>A topic and all that it holds last until it is deleted or the transport is closed; connections come and go. A
 * frame is copied once, from the batch into the log, and read in place. Deleting a topic that a connection uses is refused
 * with a {@link TransportException}. Thread-safe.
 */
public final class AeronTransport implements Transport {
    static final Set<Guarantee> GUARANTEES = Set.of(Guarantee.IMMEDIATE, Guarantee.EXCLUSIVE);

    private final AeronOptions options;
    private final EmbeddedDriver driver;
    private final Map<String, AeronTopic> topics = new TreeMap<>(); // guarded by this
    private volatile AeronTopic[] all = {}; // the same, replaced with each change
    private int nextStream = 1; // guarded by this
    private int connections; // guarded by this
    private boolean closed; // guarded by this

    private AeronTransport(AeronOptions options) {
        this.options = Objects.requireNonNull(options, "options");
        driver = EmbeddedDriver.start(options);
    }

    /**
     * {@return a transport without topics, with the default options}
     *
     * @throws TransportException as {@link #open(AeronOptions)}
     */
    public static AeronTransport open() {
        return open(AeronOptions.defaults());
    }

    /**
     * {@return a transport without topics}
     *
     * @param options of all its topics
     * @throws TransportException when the JVM lacks a flag, or the driver's directory cannot be made
     */
    public static AeronTransport open(AeronOptions options) {
        return new AeronTransport(options);
    }

    AeronOptions options() {
        return options;
    }

    @Override
    public String name() {
        return AeronProvider.NAME;
    }

    @Override
    public Set<Guarantee> guarantees() {
        return GUARANTEES;
    }

    @Override
    public int maxPayload() {
        return options.maxPayload();
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("durability", "memory only: gone when the transport is closed");
        properties.put("acknowledgement", "gives the log free; remembered while the transport is open");
        properties.put("batching", "one flush writes all committed frames, as many into one fragment as it holds");
        properties.put("copies", "one: from the batch into the log; frames are read in place");
        properties.put(
                "configuration",
                "term-length=" + ByteSize.text(options.termLength()) + ", max-payload="
                        + ByteSize.text(options.maxPayload()) + " bytes, " + options.topicBytes()
                        + " bytes of shared memory per topic in " + options.directory()
                        + ", embedded media driver without threads of its own");
        properties.put("version", "Aeron " + AeronProvider.LIBRARY_VERSION);
        return Collections.unmodifiableMap(properties);
    }

    @Override
    public synchronized Connection connect() {
        ensureOpen();
        connections++;
        return new AeronConnection(this);
    }

    @Override
    public synchronized void createTopics(Collection<String> names) {
        ensureOpen();
        List<String> checked = names.stream().map(TopicName::checked).toList();
        try {
            for (String name : checked) {
                topics.computeIfAbsent(name, this::create);
            }
        } finally {
            all = topics.values().toArray(AeronTopic[]::new);
        }
    }

    private AeronTopic create(String name) {
        int stream = nextStream++;
        return driver.call("create topic '" + name + "'", aeron -> {
            ExclusivePublication publication = aeron.addExclusivePublication(EmbeddedDriver.CHANNEL, stream);
            try {
                return new AeronTopic(name, stream, publication, driver.subscribe(stream));
            } catch (RuntimeException failed) {
                publication.close();
                throw failed;
            }
        });
    }

    @Override
    public synchronized Set<String> topics() {
        ensureOpen();
        return Collections.unmodifiableSet(new TreeSet<>(topics.keySet()));
    }

    @Override
    public synchronized void deleteTopics(Collection<String> names) {
        ensureOpen();
        List<AeronTopic> retired = new ArrayList<>();
        try {
            for (String name : new TreeSet<>(names)) {
                AeronTopic topic = topics.get(name);
                if (topic != null) {
                    topic.retire();
                    retired.add(topic);
                }
            }
        } catch (TransportException inUse) {
            retired.forEach(AeronTopic::comeBack);
            throw inUse;
        }
        retired.forEach(topic -> topics.remove(topic.name));
        all = topics.values().toArray(AeronTopic[]::new);
        for (AeronTopic topic : retired) {
            driver.release(topic::close);
        }
    }

    @Override
    public boolean forgetConsumer(String topic, String consumer) {
        return topic(topic).forgetConsumer(consumer);
    }

    /** Ends the driver when the last connection is closed: until then what they use stays mapped. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            endIfUnused();
        }
    }

    synchronized void disconnected() {
        connections--;
        endIfUnused();
    }

    private void endIfUnused() {
        if (closed && connections == 0) {
            topics.clear();
            driver.close();
        }
    }

    /** Lets every topic's retainer follow its consumers, and the driver give the room to the writers. Allocates nothing. */
    void raiseFloors() {
        driver.raiseFloors(all);
    }

    AeronReader openReader(String name, String consumerName, Consumer<AeronReader> onClose) {
        AeronTopic topic = topic(name);
        AeronConsumer consumer = topic.openConsumer(consumerName);
        try {
            EmbeddedDriver.Subscribed subscribed =
                    driver.call("read topic '" + name + "'", aeron -> driver.subscribe(topic.stream));
            AeronReader reader = new AeronReader(topic, consumer, subscribed.image(), closed -> {
                driver.release(subscribed.subscription()::close);
                onClose.accept(closed);
            });
            topic.opened(consumer);
            return reader;
        } catch (RuntimeException failed) {
            topic.withdraw(consumer);
            throw failed;
        }
    }

    /** A topic that exists. */
    synchronized AeronTopic topic(String name) {
        ensureOpen();
        AeronTopic topic = topics.get(name);
        if (topic == null) {
            throw new TransportException("there is no topic '" + name + "'; create it first");
        }
        return topic;
    }

    private void ensureOpen() {
        if (closed) {
            throw new IllegalStateException("this transport is closed");
        }
    }
}
