package dev.baton.aeron.ipc;

import dev.baton.aeron.AeronOptions;
import dev.baton.aeron.driver.TopicDriver;
import dev.baton.aeron.driver.TopicStream;
import dev.baton.aeron.driver.Topics;
import dev.baton.aeron.log.StreamWriter;
import dev.baton.spi.Connection;
import dev.baton.spi.Incarnation;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.TopicName;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The topics of one process, each a stream of Aeron IPC, and the embedded media driver that has their logs. A topic and its frames exist
 * until it is deleted or the last connection is closed. Thread-safe.
 */
public final class IpcTopics implements Topics {
    private final AeronOptions options;
    private final EmbeddedDriver driver;
    private final Object changes = new Object(); // of topics, which wait for the driver; taken before this
    private final Map<String, AeronTopic> topics = new TreeMap<>(); // guarded by this
    private volatile AeronTopic[] all = {}; // the same, replaced with each change
    private int connections; // guarded by this
    private boolean closed; // guarded by this

    private IpcTopics(AeronOptions options) {
        this.options = options;
        driver = EmbeddedDriver.start(options);
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
        all = topics.values().toArray(AeronTopic[]::new);
    }

    private AeronTopic create(String name) {
        return driver.call("create topic '" + name + "'", () -> {
            TopicStream stream = driver.newStream();
            ExclusivePublication publication = driver.publish(stream, stream.publication(options.termLength(), 0));
            TopicDriver.Subscribed retainer = null;
            try {
                retainer = driver.subscribe(stream);
                return new AeronTopic(
                        name, stream, publication, retainer, driver.awaitWindow(publication), this::giveRoom);
            } catch (RuntimeException failed) {
                if (retainer != null) {
                    driver.release(retainer.subscription()::close);
                }
                driver.release(publication::close);
                throw failed;
            }
        });
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
            retired.forEach(AeronTopic::restore);
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

    /** Gives the writers the room that their readers have acknowledged. Allocates nothing. */
    void giveRoom() {
        driver.giveRoom(all);
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

    /** Opens the one reader of a consumer. */
    AeronReader open(String name, String consumerName, Consumer<AeronReader> onClose) {
        AeronTopic topic = topic(name);
        AeronTopic.ConsumerState consumer = topic.openConsumer(consumerName);
        TopicDriver.Subscribed subscribed = null;
        try {
            subscribed = driver.call("read topic '" + name + "'", () -> driver.subscribe(topic.stream));
            Subscription subscription = subscribed.subscription();
            AeronReader reader = new AeronReader(topic, consumer, subscribed.image(), closed -> {
                driver.release(subscription::close);
                onClose.accept(closed);
            });
            topic.opened(consumer);
            return reader;
        } catch (RuntimeException failed) {
            if (subscribed != null) {
                driver.release(subscribed.subscription()::close);
            }
            topic.withdraw(consumer);
            throw failed;
        }
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
