package dev.baton.aeron.ipc;

import dev.baton.aeron.AeronOptions;
import dev.baton.aeron.driver.Interrupts;
import dev.baton.spi.Connection;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.TopicName;
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
import org.agrona.IoUtil;

/**
 * The topics that all processes share which use a media driver: a directory each, beside the driver's own files. A driver that
 * starts removes what was there, so topics end with the driver.
 *
 * <p>A client that is lost is replaced with the next connection or call; it is closed with its last connection. Thread-safe.
 */
public final class SharedTopics implements Topics {
    private static final String DIRECTORY = "baton";
    private static final String HIDDEN = "~"; // ends the names of directories that are no topics yet, or any more

    private final AeronOptions options;
    private Client newest; // guarded by this
    private boolean closed; // guarded by this

    /**
     * Connects to a media driver.
     *
     * @throws TransportException when the JVM lacks a flag, no driver runs there, or it is of another version
     */
    public SharedTopics(AeronOptions options) {
        this.options = options;
        newest = new Client(options);
    }

    @Override
    public String driverText() {
        return AeronOptions.DRIVER + "=" + options.driver() + ", " + AeronOptions.TIMEOUT + "="
                + options.timeout().toMillis() + "ms";
    }

    /** Returns a client of the driver that is not lost. */
    private synchronized Client client() {
        if (closed) {
            throw new IllegalStateException("this transport is closed");
        }
        try {
            newest.driver.requireAlive();
        } catch (TransportException lost) {
            Client next = new Client(options);
            newest.retire();
            newest = next;
        }
        return newest;
    }

    @Override
    public synchronized Connection connect() {
        Client client = client();
        client.connected();
        return new SharedConnection(client, options.maxPayload(), client::disconnected);
    }

    @Override
    public Set<String> create(Collection<String> names) {
        List<String> checked = names.stream().map(TopicName::checked).toList();
        Client client = client();
        PartitionTopic.requireSameCounts(checked, name -> Files.exists(client.directory.resolve(name)));
        Set<String> created = new TreeSet<>();
        try {
            for (String name : checked) {
                if (Interrupts.without(() -> create(client.directory, client.driver, name))) {
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

    private boolean create(Path directory, ExternalDriver driver, String name) {
        Path topic = directory.resolve(name);
        if (Files.exists(topic) && !isLeft(topic, driver)) {
            return false;
        }
        Path next = directory.resolve(UUID.randomUUID() + HIDDEN);
        try {
            Files.createDirectories(next);
            TopicState.create(
                    next.resolve(SharedTopic.STATE),
                    ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE),
                    options.termLength());
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
    private static boolean isLeft(Path topic, ExternalDriver driver) {
        TopicState state;
        try {
            state = TopicState.map(topic.resolve(SharedTopic.STATE));
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

    private static boolean isReplaced(Path topic, long identity) {
        try {
            return TopicState.map(topic.resolve(SharedTopic.STATE)).identity() != identity;
        } catch (TransportException gone) {
            return true;
        }
    }

    private static void remove(Path topic) throws IOException {
        Path hidden = topic.resolveSibling(UUID.randomUUID() + HIDDEN);
        Files.move(topic, hidden, StandardCopyOption.ATOMIC_MOVE);
        IoUtil.delete(hidden.toFile(), true);
    }

    @Override
    public Set<String> names() {
        try (Stream<Path> all = Files.list(client().directory)) {
            Set<String> names = new TreeSet<>();
            all.map(path -> path.getFileName().toString())
                    .filter(name -> !name.endsWith(HIDDEN))
                    .forEach(names::add);
            return Collections.unmodifiableSet(names);
        } catch (NoSuchFileException none) {
            return Set.of();
        } catch (IOException failed) {
            throw new TransportException("the topics cannot be listed: " + failed, failed);
        }
    }

    @Override
    public void delete(Collection<String> names) {
        Client client = client();
        List<SharedTopic> retired = new ArrayList<>();
        try {
            for (String name : new TreeSet<>(names)) {
                SharedTopic topic = client.find(name);
                if (topic != null) {
                    topic.retire();
                    retired.add(topic);
                }
            }
        } catch (TransportException inUse) {
            retired.forEach(each -> each.state.deleter(client.driver.client(), 0));
            throw inUse;
        }
        TransportException failure = null;
        for (SharedTopic each : retired) { // all of them, as none can be used any more
            try {
                client.remove(each);
            } catch (TransportException failed) {
                if (failure == null) {
                    failure = failed;
                } else {
                    failure.addSuppressed(failed);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public boolean forgetConsumer(String topic, String consumer) {
        return client().topic(topic).forgetConsumer(consumer);
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            newest.retire();
        }
    }

    /** One client of the driver, with the topics that it has opened. Thread-safe. */
    static final class Client {
        private final ExternalDriver driver;
        private final Path directory;
        private final Map<String, SharedTopic> topics = new HashMap<>(); // guarded by this
        private int connections; // guarded by this
        private boolean isRetired; // guarded by this

        Client(AeronOptions options) {
            driver = ExternalDriver.connect(options.driver(), options.timeout());
            directory = options.driver().resolve(DIRECTORY);
        }

        ExternalDriver driver() {
            return driver;
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
                topics.values().forEach(SharedTopic::close);
                topics.clear();
                driver.close();
            }
        }

        /** Returns a topic, and refuses a name that has none. */
        SharedTopic topic(String name) {
            SharedTopic topic = find(name);
            if (topic == null) {
                throw new TransportException("there is no topic '" + name + "'; create it first");
            }
            return topic;
        }

        /** Returns a topic; null for none. */
        synchronized SharedTopic find(String name) {
            SharedTopic known = topics.get(name);
            if (known != null && !known.state.isDeleted()) {
                return known;
            }
            if (known != null) {
                known.close();
                topics.remove(name);
            }
            Path path = directory.resolve(name);
            if (!Files.exists(path.resolve(SharedTopic.STATE))) {
                return null;
            }
            try {
                TopicState state = Interrupts.without(() -> TopicState.map(path.resolve(SharedTopic.STATE)));
                if (state.isDeleted()) {
                    return null;
                }
                SharedTopic topic = new SharedTopic(name, path, state, driver);
                topics.put(name, topic);
                return topic;
            } catch (TransportException gone) {
                return null;
            }
        }

        /** Removes the files of a topic that was retired. */
        synchronized void remove(SharedTopic topic) {
            try {
                if (topic.state.deleter() == driver.client()) { // otherwise another process has removed it
                    SharedTopics.remove(topic.path);
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
