package dev.baton.aeron.ipc;

import dev.baton.aeron.AeronOptions;
import dev.baton.spi.Connection;
import dev.baton.spi.Incarnation;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.TopicName;
import io.aeron.ExclusivePublication;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.agrona.CloseHelper;

/**
 * The topics of one process, each a stream of Aeron IPC, and the embedded media drivers that have their logs. A topic and its frames exist
 * until it is deleted or the last connection is closed. Thread-safe.
 */
public final class IpcTopics implements Topics {
    private final AeronOptions options;
    private final EmbeddedDriver driver; // the first one
    private final List<EmbeddedDriver> drivers = new ArrayList<>(); // all; guarded by this
    private final Object changes = new Object(); // of topics, which wait for their driver; taken before this
    private final Map<String, AeronTopic> topics = new TreeMap<>(); // guarded by this
    private int connections; // guarded by this
    private boolean closed; // guarded by this

    private IpcTopics(AeronOptions options) {
        this.options = options;
        driver = EmbeddedDriver.start(options);
        drivers.add(driver);
    }

    /**
     * Starts a media driver.
     *
     * @throws TransportException when the JVM lacks a flag, or the driver's directory cannot be made
     */
    public static IpcTopics open(AeronOptions options) {
        return new IpcTopics(options);
    }

    @Override
    public String driverText() {
        return driver.text();
    }

    @Override
    public synchronized Connection connect() {
        ensureOpen();
        connections++;
        return new AeronConnection(this);
    }

    @Override
    public Set<String> create(Collection<String> names) {
        List<String> checked = names.stream().map(TopicName::checked).toList();
        synchronized (changes) {
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
                    delete(created);
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
        topic.driver.add(topic);
    }

    private AeronTopic create(String name) {
        EmbeddedDriver of = driverWithRoom();
        return of.call("create topic '" + name + "'", () -> {
            TopicStream stream = of.newStream();
            ExclusivePublication publication = of.publish(stream, stream.publication(options.termLength(), 0));
            TopicDriver.Subscribed retainer = null;
            try {
                retainer = of.subscribe(stream);
                return new AeronTopic(name, of, stream, publication, retainer, of.awaitWindow(publication));
            } catch (RuntimeException failed) {
                if (retainer != null) {
                    of.release(retainer.subscription()::close);
                }
                of.release(publication::close);
                throw failed;
            }
        });
    }

    /** Returns the driver of the next topic, and starts another one when all have their topics. */
    private synchronized EmbeddedDriver driverWithRoom() {
        ensureOpen();
        for (EmbeddedDriver each : drivers) {
            if (each.size() < EmbeddedDriver.MOST_TOPICS) {
                return each;
            }
        }
        EmbeddedDriver another = EmbeddedDriver.start(options);
        drivers.add(another);
        return another;
    }

    @Override
    public synchronized Set<String> names() {
        ensureOpen();
        return Collections.unmodifiableSet(new TreeSet<>(topics.keySet()));
    }

    @Override
    public void delete(Collection<String> names) {
        synchronized (changes) {
            for (AeronTopic topic : remove(new TreeSet<>(names))) {
                topic.driver.release(topic::close);
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
            retired.forEach(AeronTopic::restore);
            throw inUse;
        }
        for (AeronTopic topic : retired) {
            topics.remove(topic.name);
            topic.driver.remove(topic);
        }
        return retired;
    }

    @Override
    public boolean forgetConsumer(String topic, String consumer) {
        return topic(topic).forgetConsumer(consumer);
    }

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
            CloseHelper.closeAll(drivers);
        }
    }

    /** Opens the one writer of a topic. */
    StreamWriter openWriter(String name, String topology, Consumer<StreamWriter> onClose) {
        AeronTopic log = topic(name);
        Incarnation incarnation = log.openWriter(topology);
        return new StreamWriter(
                name,
                log,
                log.publication,
                log.window,
                options.maxPayload(),
                incarnation,
                log.published(),
                log.end(),
                onClose);
    }

    /** The consumer and the subscription of a reader that is about to open. */
    record Place(AeronTopic topic, AeronTopic.ConsumerState consumer, TopicDriver.Subscribed subscribed) {}

    /** Registers the one reader of a consumer and subscribes it. Waits for the driver. Any thread. */
    Place take(String name, String consumerName) {
        AeronTopic topic = topic(name);
        AeronTopic.ConsumerState consumer = topic.openConsumer(consumerName);
        try {
            return new Place(
                    topic,
                    consumer,
                    topic.driver.call("read topic '" + name + "'", () -> topic.driver.subscribe(topic.stream)));
        } catch (RuntimeException failed) {
            topic.withdraw(consumer);
            throw failed;
        }
    }

    /** Releases a place whose reader was not opened. Any thread. */
    void leave(Place place) {
        place.topic().driver.release(place.subscribed().subscription()::close);
        place.topic().withdraw(place.consumer());
    }

    /** Opens the reader of a place. */
    AeronReader open(Place place, Consumer<AeronReader> onClose) {
        TopicDriver.Subscribed subscribed = place.subscribed();
        AeronReader reader = new AeronReader(place.topic(), place.consumer(), subscribed.image(), closed -> {
            place.topic().driver.release(subscribed.subscription()::close);
            onClose.accept(closed);
        });
        place.topic().opened(place.consumer());
        return reader;
    }

    /** Returns a topic, and refuses a name that has none. */
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
