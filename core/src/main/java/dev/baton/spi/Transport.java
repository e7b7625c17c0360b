package dev.baton.spi;

import dev.baton.spi.PartitionGroup.GroupMembership;
import dev.baton.spi.PartitionGroup.PartitionListener;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A transport that carries topics: ordered logs of frames, each with one writer and any number of named consumers.
 *
 * <p>Its own factory or a {@link TransportProvider} opens a transport. The caller that opened it closes it, after every {@link
 * Connection} is closed. Thread-safe; connections are not.
 *
 * <p>A method that may block ends, or throws a {@link TransportException}, within the transport's option {@code timeout}, if a
 * server or a process of its own answers for the transport: {@code timeout} of Kafka, of Aeron Archive and of a running media
 * driver is 10 s unless it is set. A transport over memory or files of this host does not wait for other processes: its methods take as
 * long as reading and writing takes.
 *
 * <p>An interrupted thread may call every method, and remains interrupted. A method that may block does its work, or throws a {@link
 * TransportException} instead of waiting for a server; every other method and every close does its work. An interrupt that
 * arrives during a call may end the call, and the connection that it uses, with a {@link TransportException}; it ends nothing else.
 */
public interface Transport extends AutoCloseable {
    /** {@return the name, as users type it, such as {@code chronicle}} */
    String name();

    /** {@return the guarantees of this transport beyond the contract that all transports share} */
    Set<Guarantee> guarantees();

    /** {@return the longest payload of a claim, in bytes} */
    int maxPayload();

    /**
     * {@return the properties that a reader needs to judge a figure: durability, acknowledgement, batching, copies,
     * configuration, version} Ordered, with keys in lower case and values as text.
     */
    Map<String, String> properties();

    /**
     * Opens a connection for the calling thread. May block.
     *
     * @return the connection, which belongs to the calling thread
     * @throws TransportException when the transport cannot be reached
     */
    Connection connect();

    /**
     * Creates the topics that do not exist yet. Existing ones do not change. If it fails, it removes what it has created,
     * as far as the transport can be reached and no other process can have opened it. May block.
     *
     * <p>Every transport supports the names that Baton gives to topics and consumers: letters, digits, '.', '_' and '-',
     * beginning with a letter or digit; names of partitions end with '@' and a number ({@link PartitionTopic}).
     *
     * @param names names with or without a partition
     * @return the names of those that this call has created, so that a caller whose next step fails can delete these and no
     *     others; a name that another process has created at the same time is not among them
     * @throws IllegalArgumentException if this transport does not support a name, before any topic is created; the text has
     *     the name in single quotes
     * @throws TopicMismatchException if a topic exists with another number of partitions, before any topic is created; the
     *     text says what to do
     * @throws TransportException if the transport refuses
     */
    Set<String> createTopics(Collection<String> names);

    /** {@return the names of the topics that exist} May block. */
    Set<String> topics();

    /**
     * {@return those of the names whose topics exist} For transports that find a few topics without listing all. May block.
     *
     * @param names names with or without a partition
     */
    default Set<String> existing(Set<String> names) {
        return topics().stream().filter(names::contains).collect(Collectors.toSet());
    }

    /**
     * Deletes topics that no connection uses, with their content. Unknown names are ignored. May block.
     *
     * @param names names of topics, existing or not
     * @throws TransportException if a writer or reader of this transport is open on one of them: the text names the topic and
     *     says "in use", and none is deleted. A writer or reader in another process counts as well, if the transport can detect
     *     it
     */
    void deleteTopics(Collection<String> names);

    /**
     * Forgets a consumer that will not return: removes its position, so that it does not hold back the topic any more. A later
     * consumer of that name is new. After its last consumer was forgotten, no consumer holds back the topic until another one
     * is opened. Cannot be undone. May block.
     *
     * @param topic existing topic
     * @param consumer consumer without a live reader
     * @return whether there was such a consumer; if not, nothing changes
     * @throws OccupiedException if a reader of this consumer lives: the text names topic and consumer, and nothing is
     *     forgotten. A reader in another process counts as well, if the transport can detect it
     * @throws TransportException when the topic does not exist
     * @throws UnsupportedOperationException when this transport cannot forget consumers
     */
    default boolean forgetConsumer(String topic, String consumer) {
        throw new UnsupportedOperationException("transport " + name() + " cannot forget consumers");
    }

    /** {@return the kinds of position at which {@link Connection#beginReader} can open a consumer} */
    default Set<StartPosition.Kind> startPositions() {
        return Set.of(StartPosition.Kind.STORED);
    }

    /**
     * Opens an inspector of a topic. May block.
     *
     * @param topic existing topic
     * @return the inspector, to be closed by the caller
     * @throws TransportException if the topic does not exist, or this transport keeps nothing that can be inspected
     */
    default TopicInspector inspect(String topic) {
        throw new TransportException("transport " + name() + " keeps no topics that could be inspected");
    }

    /**
     * {@return the disk space of the topics on a file system of this host; empty if they are elsewhere, or if the transport
     * does not know it} Reads the file system, so do not call it more often than every few seconds. May block.
     */
    default Optional<StorageUse> storageUse() {
        return Optional.empty();
    }

    /**
     * {@return counters of losses, back-pressure and errors of the server or driver that carries the topics, by names in its
     * own terms and in order; empty where there are none, or they cannot be read} They count since its start, and for all its
     * clients. Reads files of this host at most.
     */
    default Map<String, Long> counters() {
        return Map.of();
    }

    /** {@return whether processes can share the partitions of a topic: whether {@link #join} works} */
    default boolean sharesPartitions() {
        return false;
    }

    /**
     * Joins a group of processes that share the partitions of a topic, each of which belongs to one process at a time. Returns
     * before any partition is assigned; the membership's own thread notifies the listener of partitions. The topics of all
     * partitions have to exist.
     *
     * @param group group, with the name of this process in it
     * @param holder listener that is notified until the membership is closed or has failed
     * @return the membership, without partitions yet
     * @throws UnsupportedOperationException if this transport does not {@link #sharesPartitions share partitions}
     * @throws TransportException if the transport cannot be reached
     */
    default GroupMembership join(PartitionGroup group, PartitionListener holder) {
        throw new UnsupportedOperationException("transport " + name() + " cannot share partitions between processes");
    }

    /**
     * Releases the resources of the transport itself. {@link #connect} then throws an {@link IllegalStateException}.
     * Idempotent.
     *
     * <p>Closing it before its connections is a mistake, but does not crash the process: their methods then take effect or not,
     * or throw an {@link IllegalStateException} or a {@link TransportException}. A transport over mapped memory keeps it mapped
     * until the last connection is closed.
     */
    @Override
    void close();

    /**
     * The disk space of a transport's topics on their file system. Immutable, thread-safe.
     *
     * @param bytes disk space that all topics use now
     * @param freeBytes disk space that writers may still use
     */
    record StorageUse(long bytes, long freeBytes) {}
}
