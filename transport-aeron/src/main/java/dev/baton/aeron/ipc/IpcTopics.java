package dev.baton.aeron.ipc;

import dev.baton.aeron.AeronOptions;
import dev.baton.spi.Connection;
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
 * The topics of one transport, each a stream of Aeron IPC, and the media drivers that have their logs. A topic and its frames exist
 * until it is deleted or the last connection is closed. Thread-safe.
 */
public final class IpcTopics {
    private final AeronOptions options;
    private final TopicDriver driver; // the first one
    private final List<TopicDriver> drivers = new ArrayList<>(); // all; guarded by this
    private final Object changes = new Object(); // of topics, which wait for their driver; taken before this
    private final Map<String, AeronTopic> topics = new TreeMap<>(); // guarded by this
    private int connections; // guarded by this
    private boolean closed; // guarded by this

    private IpcTopics(AeronOptions options) {
        this.options = options;
        driver = options.driver() == null
                ? EmbeddedDriver.start(options)
                : ExternalDriver.connect(options.driver(), options.timeout());
        drivers.add(driver);
    }

    /**
     * Starts a media driver, or connects to one that runs already.
     *
     * @throws TransportException when the JVM lacks a flag, the embedded driver's directory cannot be made, or no driver runs in
     *     the directory of the options
     */
    public static IpcTopics open(AeronOptions options) {
        return new IpcTopics(options);
    }

    int maxPayload() {
        return options.maxPayload();
    }

    /** {@return whether the media driver is a program of its own} */
    public boolean isExternal() {
        return driver.isExternal();
    }

    /** {@return the media driver, as results show it} */
    public String driverText() {
        return driver.text();
    }

    /** Opens a connection for the calling thread. */
    public synchronized Connection connect() {
        ensureOpen();
        driver.requireAlive();
        connections++;
        return new AeronConnection(this);
    }

    /** Creates topics, all or none, and returns those that did not exist. */
    public Set<String> create(Collection<String> names) {
        List<String> checked = names.stream().map(TopicName::checked).toList();
        synchronized (changes) {
            if (isEmpty()) {
                driver.renew(); // the client had no turns while there were none
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
                    delete(created);
                } catch (RuntimeException atRemoval) {
                    failure.addSuppressed(atRemoval);
                }
                throw failure;
            }
            return created;
        }
    }

    private synchronized boolean isEmpty() {
        ensureOpen();
        return topics.isEmpty();
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
        TopicDriver of = driverWithRoom();
        return of.call("create topic '" + name + "'", () -> {
            TopicStream stream = of.newStream();
            ExclusivePublication publication = of.publish(stream, options);
            TopicDriver.Subscribed retainer = null;
            try {
                retainer = of.subscribe(stream);
                return new AeronTopic(name, of, stream, publication, retainer, awaitWindow(of, publication));
            } catch (RuntimeException failed) {
                if (retainer != null) {
                    of.release(retainer.subscription()::close);
                }
                of.release(publication::close);
                throw failed;
            }
        });
    }

    /** Returns the driver of the next topic, and starts another embedded one when all have their topics. */
    private synchronized TopicDriver driverWithRoom() {
        ensureOpen();
        for (TopicDriver each : drivers) {
            if (each.isExternal() || each.topics().length < EmbeddedDriver.MOST_TOPICS) {
                return each;
            }
        }
        TopicDriver another = EmbeddedDriver.start(options);
        drivers.add(another);
        return another;
    }

    /** Awaits the window of a publication, which the driver opens once there is a subscription. */
    private int awaitWindow(TopicDriver of, ExclusivePublication publication) {
        long given = of.await(() -> {
            long open = publication.availableWindow();
            return open > 0 ? open : null;
        });
        return checkedWindow(given, TopicStream.window(options));
    }

    /** Refuses a driver that gives a smaller window, such as one that ignores the option of the channel. */
    static int checkedWindow(long given, int wanted) {
        if (given < wanted) {
            throw new TransportException(
                    "the media driver gives a topic a window of " + given + " bytes, and half of its "
                            + AeronOptions.TERM_LENGTH + ", " + wanted
                            + ", is needed; start the driver without aeron.ipc.publication.term.window.length");
        }
        return wanted;
    }

    /** {@return the names of all topics} */
    public synchronized Set<String> names() {
        ensureOpen();
        return Collections.unmodifiableSet(new TreeSet<>(topics.keySet()));
    }

    /** Deletes topics, all or, when one of them is in use, none. */
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

    /** Removes a consumer of a topic; false when there is none of this name. */
    public boolean forgetConsumer(String topic, String consumer) {
        return topic(topic).forgetConsumer(consumer);
    }

    /** Closes the drivers once the last connection is closed; until then its logs stay mapped. */
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

    /** Gives the client a turn, on the thread of a connection. */
    void work() {
        driver.work();
    }

    /** Returns whether the client of the driver is lost. */
    boolean isLost() {
        return driver.isLost();
    }

    /**
     * Returns the reason for a refusal by Aeron. After a loss the streams are closed before the reason is known, and a driver
     * that has timed the client out has freed its counters.
     *
     * @param answer the reason if the client is not lost
     */
    String refusal(String answer) {
        try {
            driver.requireAlive();
            return answer;
        } catch (TransportException lost) {
            return lost.getMessage();
        }
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
        AeronReader reader = new AeronReader(
                place.topic(), place.consumer(), subscribed.image(), () -> refusal("Aeron has closed it"), closed -> {
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
