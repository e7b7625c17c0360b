package dev.baton.aeron.ipc;

import dev.baton.aeron.AeronOptions;
import dev.baton.spi.Connection;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.Interrupts;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;

/**
 * The topics of a media driver: a directory each, beside the driver's own files. All processes that use a running driver share
 * them. A driver that starts removes what was there, so topics end with the driver; those of embedded drivers end when the
 * transport is closed.
 *
 * <p>A client that is lost is replaced with the next connection or call; it is closed with its last connection. Thread-safe.
 */
public final class IpcTopics {
    private static final String DIRECTORY = "baton";
    private static final String HIDDEN = "~"; // ends the names of directories that are no topics yet, or any more

    private final AeronOptions options;
    private final Object changes =
            new Object(); // of topics by this process, which wait for a driver; taken before this
    private Client newest; // guarded by this
    private boolean closed; // guarded by this

    /**
     * Connects to a media driver, or starts an embedded one.
     *
     * @throws TransportException when the JVM lacks a flag, no driver runs there, it is of another version, or the directory of an
     *     embedded one cannot be made
     */
    public IpcTopics(AeronOptions options) {
        this.options = options;
        newest = new Client(options);
    }

    /** {@return the media driver, as results show it} */
    public synchronized String driverText() {
        return newest.driver().text();
    }

    /** Returns a client of the driver that is not lost. */
    private synchronized Client client() {
        if (closed) {
            throw new IllegalStateException("this transport is closed");
        }
        try {
            newest.driver().requireAlive();
        } catch (TransportException lost) {
            Client next = new Client(options);
            newest.retire();
            newest = next;
        }
        return newest;
    }

    /** Opens a connection for the calling thread. */
    public synchronized Connection connect() {
        Client client = client();
        client.connected();
        return new IpcConnection(client, options.get(AeronOptions.MAX_PAYLOAD), client::disconnected);
    }

    /** Creates topics, all or none, and returns those that did not exist. */
    public Set<String> create(Collection<String> names) {
        List<String> checked =
                names.stream().map(PartitionTopic::requirePortable).toList();
        synchronized (changes) {
            Client client = client();
            PartitionTopic.requireSameCounts(checked, name -> Files.exists(client.directory.resolve(name)));
            Set<String> created = new TreeSet<>();
            try {
                for (String name : checked) {
                    if (Interrupts.without(() -> create(client, name))) {
                        created.add(name);
                        client.prepare(name);
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

    private boolean create(Client client, String name) {
        Path topic = client.directory.resolve(name);
        if (Files.exists(topic) && !isLeft(topic, client.driver())) {
            return false;
        }
        client.requireRoom();
        Path next = client.directory.resolve(UUID.randomUUID() + HIDDEN);
        try {
            Files.createDirectories(next);
            TopicState.create(
                    next.resolve(IpcTopic.STATE),
                    ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE),
                    options.get(AeronOptions.TERM_LENGTH));
            Files.move(next, topic, StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (FileSystemException failed) {
            IoUtil.delete(next.toFile(), true);
            if (failed instanceof DirectoryNotEmptyException
                    || failed instanceof FileAlreadyExistsException
                    || Files.exists(topic)) {
                return false; // another process has created it
            }
            throw new TransportException("topic '" + name + "' cannot be created: " + failed, failed);
        } catch (IOException failed) {
            IoUtil.delete(next.toFile(), true);
            throw new TransportException("topic '" + name + "' cannot be created: " + failed, failed);
        }
    }

    /** Returns whether a topic was deleted, and is gone; removes one that a killed process has retired. */
    private static boolean isLeft(Path topic, TopicDriver driver) {
        TopicState state;
        try {
            state = TopicState.map(topic.resolve(IpcTopic.STATE), false);
        } catch (TransportException goneMeanwhile) {
            return true;
        }
        long deleter = state.deleter();
        if (deleter == 0 || driver.isKnown(deleter)) {
            return false;
        }
        if (state.deleter(deleter, driver.client())) { // one process only, as the next topic has the same path
            try {
                remove(topic);
            } catch (IOException goneMeanwhile) {
                return true;
            }
        } else {
            driver.await(
                    "the removal of a deleted topic by another process", () -> isReplaced(topic, state.identity()));
        }
        return true;
    }

    /** Returns whether a topic is being deleted, or was by a process that was killed. */
    private static boolean isDeleted(Path topic) {
        try {
            return Interrupts.without(() -> TopicState.map(topic.resolve(IpcTopic.STATE), false))
                    .isDeleted();
        } catch (TransportException goneMeanwhile) {
            return true;
        }
    }

    /** Returns the client that deletes a topic; 0 for none, or when there is no topic. */
    private static long deleter(Path topic) {
        Path state = topic.resolve(IpcTopic.STATE);
        try {
            return Files.exists(state)
                    ? Interrupts.without(() -> TopicState.map(state, false)).deleter()
                    : 0;
        } catch (TransportException goneMeanwhile) {
            return 0;
        }
    }

    private static boolean isReplaced(Path topic, long identity) {
        try {
            return TopicState.map(topic.resolve(IpcTopic.STATE), false).identity() != identity;
        } catch (TransportException gone) {
            return true;
        }
    }

    private static void remove(Path topic) throws IOException {
        Path hidden = topic.resolveSibling(UUID.randomUUID() + HIDDEN);
        Files.move(topic, hidden, StandardCopyOption.ATOMIC_MOVE);
        IoUtil.delete(hidden.toFile(), true);
    }

    /** {@return the names of all topics} */
    public Set<String> names() {
        Client client = client();
        try (Stream<Path> all = Files.list(client.directory)) {
            Set<String> names = new TreeSet<>();
            all.filter(path -> !path.toString().endsWith(HIDDEN))
                    .filter(path -> client.driver.isAlone() || !isDeleted(path))
                    .forEach(path -> names.add(path.getFileName().toString()));
            return Collections.unmodifiableSet(names);
        } catch (NoSuchFileException none) {
            return Set.of();
        } catch (IOException failed) {
            throw new TransportException("the topics cannot be listed: " + failed, failed);
        }
    }

    /** Deletes topics, all or, when one of them is in use, none. */
    public void delete(Collection<String> names) {
        synchronized (changes) {
            Client client = client();
            List<IpcTopic> retired = new ArrayList<>();
            try {
                for (String name : new TreeSet<>(names)) {
                    IpcTopic topic = retire(client, name);
                    if (topic != null) {
                        retired.add(topic);
                    }
                }
            } catch (TransportException inUse) {
                retired.forEach(IpcTopic::restore);
                throw inUse;
            }
            CloseHelper.closeAll(retired.stream()
                    .map(each -> (AutoCloseable) () -> client.remove(each))
                    .toList());
        }
    }

    /**
     * Marks a topic as deleted, once no other process has marked it: that one may undo its deletion. Returns null when there is no
     * topic.
     */
    private static IpcTopic retire(Client client, String name) {
        while (true) {
            client.awaitDeletion(name);
            IpcTopic topic = client.find(name);
            if (topic == null || topic.retire()) {
                return topic;
            }
        }
    }

    /** Removes a consumer of a topic; false when there is none of this name. */
    public boolean forgetConsumer(String topic, String consumer) {
        return topic(topic).forgetConsumer(consumer);
    }

    /** Returns a topic, and refuses a name that has none. */
    IpcTopic topic(String name) {
        return client().topic(name);
    }

    /** Closes the driver or its client once the last connection is closed; until then the logs stay mapped. */
    public synchronized void close() {
        if (!closed) {
            closed = true;
            newest.retire();
        }
    }

    /** One client of the driver, with the topics that it has opened; or the embedded drivers of this process. Thread-safe. */
    static final class Client {
        private final AeronOptions options;
        private final TopicDriver driver; // the first one, which has the directory
        private final List<TopicDriver> drivers = new ArrayList<>(); // all; guarded by this
        private final Path directory;
        private final Map<String, IpcTopic> topics = new HashMap<>(); // guarded by this
        private int connections; // guarded by this
        private boolean isRetired; // guarded by this

        Client(AeronOptions options) {
            this.options = options;
            driver = isEmbedded()
                    ? EmbeddedDriver.start(options)
                    : ExternalDriver.connect(options.get(AeronOptions.DRIVER), options.get(AeronOptions.TIMEOUT));
            drivers.add(driver);
            directory = driver.directory().resolve(DIRECTORY);
        }

        private boolean isEmbedded() {
            return options.get(AeronOptions.DRIVER) == null;
        }

        TopicDriver driver() {
            return driver;
        }

        /** Returns the driver of the next topic, and starts another embedded one when all have their topics. */
        private TopicDriver driverWithRoom() {
            for (TopicDriver each : drivers) {
                if (each.hasRoom()) {
                    return each;
                }
            }
            TopicDriver another = EmbeddedDriver.start(options);
            drivers.add(another);
            return another;
        }

        /**
         * Starts another embedded driver if all have their topics.
         *
         * @throws TransportException when it cannot be started
         */
        synchronized void requireRoom() {
            driverWithRoom();
        }

        /** Takes the memory of a topic that was created, if no other process can use it. */
        void prepare(String name) {
            if (isEmbedded()) {
                topic(name).prepare();
            }
        }

        synchronized void connected() {
            connections++;
        }

        synchronized void disconnected() {
            connections--;
            endIfUnused();
        }

        /** Closes the client with its last connection. */
        synchronized void retire() {
            isRetired = true;
            endIfUnused();
        }

        private void endIfUnused() {
            if (isRetired && connections == 0) {
                topics.clear();
                CloseHelper.closeAll(drivers);
            }
        }

        /** Returns a topic, and refuses a name that has none. */
        IpcTopic topic(String name) {
            IpcTopic topic = find(name);
            if (topic == null) {
                throw new TransportException("there is no topic '" + name + "'; create it first");
            }
            return topic;
        }

        /** Waits while another process that lives deletes a topic. */
        void awaitDeletion(String name) {
            Path path = directory.resolve(name);
            if (!driver.isAlone()) {
                driver.await("the end of a deletion of topic '" + name + "' by another process", () -> {
                    long deleter = deleter(path);
                    return deleter == 0 || deleter == driver.client() || !driver.isKnown(deleter);
                });
            }
        }

        /** Returns a topic; null for none. */
        synchronized IpcTopic find(String name) {
            if (!driver.isAlone()) {
                closeDeleted(name);
            }
            IpcTopic known = topics.get(name);
            if (known != null) {
                return known.state.isDeleted() ? null : known; // its deletion by this process may be undone
            }
            Path path = directory.resolve(name);
            if (!Files.exists(path.resolve(IpcTopic.STATE))) {
                return null;
            }
            try {
                TopicState state =
                        Interrupts.without(() -> TopicState.map(path.resolve(IpcTopic.STATE), driver.isAlone()));
                if (state.isDeleted()) {
                    return null;
                }
                IpcTopic topic = new IpcTopic(name, path, state, driverWithRoom());
                topics.put(name, topic);
                return topic;
            } catch (TransportException failed) {
                if (Files.exists(path.resolve(IpcTopic.STATE))) {
                    throw failed;
                }
                return null; // deleted meanwhile
            }
        }

        /** Closes the topics that were deleted, also by another process, unless the topic with a name is open. */
        private void closeDeleted(String name) {
            IpcTopic known = topics.get(name);
            if (known == null || known.state.isDeleted()) {
                topics.values().removeIf(each -> {
                    boolean isDeleted = each.state.isDeleted();
                    if (isDeleted) {
                        each.close();
                    }
                    return isDeleted;
                });
            }
        }

        /** Removes the files of a topic that was retired. */
        synchronized void remove(IpcTopic topic) {
            try {
                if (topic.state.deleter() == topic.driver.client()) { // otherwise another process has removed it
                    IpcTopics.remove(topic.path);
                }
            } catch (IOException failed) {
                throw new TransportException("topic '" + topic.name + "' cannot be deleted: " + failed, failed);
            } finally {
                topics.remove(topic.name, topic);
                topic.close();
            }
        }
    }
}
