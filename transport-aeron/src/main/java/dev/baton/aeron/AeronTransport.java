package dev.baton.aeron;

import dev.baton.spi.ByteSize;
import dev.baton.spi.Connection;
import dev.baton.spi.Guarantee;
import dev.baton.spi.PartitionTopic;
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
 * no threads: a writer that needs room runs it, and so does what opens or closes something. Or it is one that runs already, as a
 * program of its own ({@link AeronOptions#driver}); then some connection has to have its turns more often than that driver's client
 * liveness timeout, 10 s unless set, as long as there are topics.
 *
 * <p>A topic and all that it holds last until it is deleted or the transport is closed; connections come and go. A
 * frame is copied once, from the batch into the log, and read in place. Deleting a topic that a connection uses is refused
 * with a {@link TransportException}. Thread-safe.
 */
public final class AeronTransport implements Transport {
    static final Set<Guarantee> GUARANTEES = Set.of(Guarantee.IMMEDIATE, Guarantee.EXCLUSIVE);

    private final AeronOptions options;
    private final TopicDriver driver;
    private final Object changes = new Object(); // of topics, which wait for the driver; taken before this
    private final Map<String, AeronTopic> topics = new TreeMap<>(); // guarded by this
    private volatile AeronTopic[] all = {}; // the same, replaced with each change
    private int connections; // guarded by this
    private boolean closed; // guarded by this

    private AeronTransport(AeronOptions options) {
        this.options = Objects.requireNonNull(options, "options");
        driver = options.driver() == null
                ? EmbeddedDriver.start(options)
                : ExternalDriver.connect(options.driver(), options.timeout());
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
     * @throws TransportException when the JVM lacks a flag, the embedded driver's directory cannot be made, or no driver runs
     *     where one is said to
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
        properties.put(
                "durability",
                "memory only: gone when the transport is closed" + (isExternal() ? ", or its media driver ends" : ""));
        properties.put("acknowledgement", "gives the log free; remembered while the transport is open");
        properties.put("batching", "one flush writes all committed frames, as many into one fragment as it holds");
        properties.put("copies", "one: from the batch into the log; frames are read in place");
        properties.put(
                "configuration",
                "term-length=" + ByteSize.text(options.termLength()) + ", max-payload="
                        + ByteSize.text(options.maxPayload()) + " bytes, " + options.topicBytes()
                        + " bytes of shared memory per topic in "
                        + (isExternal() ? "the directory of the media driver" : options.directory()) + ", "
                        + driver.text());
        properties.put("version", "Aeron " + AeronProvider.LIBRARY_VERSION);
        return Collections.unmodifiableMap(properties);
    }

    @Override
    public synchronized Connection connect() {
        ensureOpen();
        driver.requireAlive();
        connections++;
        return new AeronConnection(this);
    }

    @Override
    public Set<String> createTopics(Collection<String> names) {
        List<String> checked = names.stream().map(TopicName::checked).toList();
        synchronized (changes) {
            if (topics().isEmpty()) {
                driver.renew(); // nobody had turns while there were none
            }
            PartitionTopic.requireSameCounts(checked, this::isThere);
            Set<String> created = new TreeSet<>();
            try {
                for (String name : checked) {
                    if (!isThere(name)) {
                        add(create(name));
                        created.add(name);
                    }
                }
            } catch (RuntimeException failure) {
                try {
                    deleteTopics(created);
                } catch (RuntimeException atRemoval) {
                    failure.addSuppressed(atRemoval);
                }
                throw failure;
            }
            return created;
        }
    }

    private synchronized boolean isThere(String name) {
        ensureOpen();
        return topics.containsKey(name);
    }

    private synchronized void add(AeronTopic topic) {
        topics.put(topic.name, topic);
        all = topics.values().toArray(AeronTopic[]::new);
    }

    private AeronTopic create(String name) {
        return driver.call("create topic '" + name + "'", () -> {
            TopicStream stream = driver.newStream();
            ExclusivePublication publication = driver.publish(stream, options);
            TopicDriver.Subscribed retainer = null;
            try {
                retainer = driver.subscribe(stream);
                return new AeronTopic(name, stream, publication, retainer, awaitWindow(publication));
            } catch (RuntimeException failed) {
                if (retainer != null) {
                    driver.release(retainer.subscription()::close);
                }
                driver.release(publication::close);
                throw failed;
            }
        });
    }

    /** The driver opens the window once there is a subscription. */
    private int awaitWindow(ExclusivePublication publication) {
        long given = driver.await(() -> {
            long open = publication.availableWindow();
            return open > 0 ? open : null;
        });
        return AeronOptions.checkedWindow(given, options.window());
    }

    @Override
    public synchronized Set<String> topics() {
        ensureOpen();
        return Collections.unmodifiableSet(new TreeSet<>(topics.keySet()));
    }

    @Override
    public void deleteTopics(Collection<String> names) {
        synchronized (changes) {
            for (AeronTopic topic : remove(new TreeSet<>(names))) {
                driver.release(topic::close);
            }
        }
    }

    private synchronized List<AeronTopic> remove(Collection<String> names) {
        ensureOpen();
        List<AeronTopic> retired = new ArrayList<>();
        try {
            for (String name : names) {
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
        return retired;
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

    /** Whether the media driver is a program of its own. */
    boolean isExternal() {
        return driver.isExternal();
    }

    /** One turn of a connection. */
    void work() {
        driver.work();
    }

    /** Whether nothing of this transport works any more. */
    boolean isLost() {
        return driver.isLost();
    }

    /**
     * Why Aeron refuses something. After a loss the streams are closed before the reason is known, or a driver that has given
     * the client up has taken what it counts with.
     *
     * @param answer of Aeron, if nothing is lost
     */
    String refusal(String answer) {
        try {
            driver.requireAlive();
            return answer;
        } catch (TransportException lost) {
            return lost.getMessage();
        }
    }

    /** Has the driver give a topic's writer the room that readers have left. Allocates nothing. */
    void giveRoom(AeronTopic writing) {
        driver.giveRoom(writing, all);
    }

    /** What a consumer's reader has before it is opened. */
    record Place(AeronTopic topic, AeronConsumer consumer, TopicDriver.Subscribed subscribed) {}

    /** Takes the place of a consumer's one reader. Waits for the driver. Any thread. */
    Place take(String name, String consumerName) {
        AeronTopic topic = topic(name);
        AeronConsumer consumer = topic.openConsumer(consumerName);
        try {
            return new Place(
                    topic, consumer, driver.call("read topic '" + name + "'", () -> driver.subscribe(topic.stream)));
        } catch (RuntimeException failed) {
            topic.withdraw(consumer);
            throw failed;
        }
    }

    /** Makes way for another reader, as none was opened. Any thread. */
    void leave(Place place) {
        driver.release(place.subscribed().subscription()::close);
        place.topic().withdraw(place.consumer());
    }

    /** Opens the reader that has a place. */
    AeronReader open(Place place, Consumer<AeronReader> onClose) {
        TopicDriver.Subscribed subscribed = place.subscribed();
        AeronReader reader = new AeronReader(
                place.topic(), place.consumer(), subscribed.image(), () -> refusal("Aeron has closed it"), closed -> {
                    driver.release(subscribed.subscription()::close);
                    onClose.accept(closed);
                });
        place.topic().opened(place.consumer());
        return reader;
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
