package dev.baton.spi;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Carries topics: ordered logs of frames with one writer and any number of named consumers each.
 *
 * <p>A transport is opened by its own factory or by a {@link TransportProvider}; its opener closes it, after
 * every {@link Connection} is closed. Thread-safe; what {@link #connect} returns is not.
 */
public interface Transport extends AutoCloseable {
    /** {@return the name that users type, such as {@code chronicle}} */
    String name();

    /** {@return what this transport promises beyond the contract that all transports share} */
    Set<Guarantee> guarantees();

    /** {@return the longest payload that a claim may ask for, in bytes} */
    int maxPayload();

    /**
     * {@return what a reader must know to judge a figure: durability, acknowledgement, batching, copies, configuration,
     * version} Ordered, keys in lower case, values as text.
     */
    Map<String, String> properties();

    /**
     * Opens a connection for the calling thread. May block, for a stated time.
     *
     * @return the connection, which belongs to the calling thread
     * @throws TransportException when the transport cannot be reached
     */
    Connection connect();

    /**
     * Creates the topics that do not exist yet; those that do are left as they are. May block.
     *
     * <p>Every transport carries the names that Baton gives to topics and consumers: a chain's name, a hyphen, a number and
     * sometimes a second one, of letters, digits, '.', '_' and '-', beginning with a letter or digit; of partitions with
     * '@' and a number behind it ({@link PartitionTopic}).
     *
     * @param names with or without a partition
     * @throws IllegalArgumentException for a name that this transport cannot carry, before any topic is created; the text
     *     has the name in single quotes
     * @throws TransportException when the transport refuses
     */
    void createTopics(Collection<String> names);

    /** {@return the names of the topics that exist} May block. */
    Set<String> topics();

    /**
     * Deletes topics that no connection uses, with all that they hold; unknown names are ignored. May block.
     *
     * @param names of topics, existing or not
     * @throws TransportException when a writer or reader of this transport is open on one of them: the text names the topic
     *     and says "in use", and none is deleted. One of another process is a reason as well where the transport can tell
     */
    void deleteTopics(Collection<String> names);

    /**
     * Forgets a consumer that is gone for good: its position is removed, and it holds the topic back no longer. One of
     * that name that comes later is seen for the first time. A topic whose last consumer was forgotten is held back by
     * nobody until another one comes. What is forgotten cannot be brought back. May block.
     *
     * @param topic which exists
     * @param consumer without a live reader
     * @return whether there was such a consumer; false changes nothing
     * @throws OccupiedException when a reader of this consumer lives: the text names topic and consumer, and nothing is
     *     forgotten. One of another process is a reason as well where the transport can tell
     * @throws TransportException when the topic does not exist
     * @throws UnsupportedOperationException when this transport cannot forget consumers
     */
    default boolean forgetConsumer(String topic, String consumer) {
        throw new UnsupportedOperationException("transport " + name() + " cannot forget consumers");
    }

    /**
     * {@return the kinds of position at which {@link Connection#openReader(String, String, StartPosition)} can open a
     * consumer}
     */
    default Set<StartPosition.Kind> startPositions() {
        return Set.of();
    }

    /**
     * Opens a look at a topic from outside. May block.
     *
     * @param topic which exists
     * @return the look, to be closed by the caller
     * @throws TransportException when the topic does not exist, or this transport keeps nothing that could be looked at
     */
    default TopicInspector inspect(String topic) {
        throw new TransportException("transport " + name() + " keeps no topics that could be inspected");
    }

    /**
     * {@return what the topics take of a file system of this host; empty where the transport keeps them elsewhere, or cannot
     * tell} Reads the file system, so not to be asked more than every few seconds. May block.
     */
    default Optional<StorageUse> storageUse() {
        return Optional.empty();
    }

    /** {@return whether processes can share the partitions of a topic: whether {@link #join} works} */
    default boolean sharesPartitions() {
        return false;
    }

    /**
     * Joins a group of processes that share the partitions of a topic, each partition held by one of them at a time. Returns before
     * there are any partitions; the holder is notified of them on a thread of the membership's own. The topics of all partitions exist.
     *
     * @param group and the place in it that this process takes
     * @param holder notified until the membership is closed or has failed
     * @return the membership, without partitions yet
     * @throws UnsupportedOperationException when this transport does not {@link #sharesPartitions share partitions}
     * @throws TransportException when the transport cannot be reached
     */
    default GroupMembership join(PartitionGroup group, PartitionListener holder) {
        throw new UnsupportedOperationException("transport " + name() + " cannot share partitions between processes");
    }

    /**
     * Releases what the transport itself holds. Idempotent; {@link #connect} throws an {@link IllegalStateException} from
     * then on.
     *
     * <p>To close it before its connections is a mistake, but one that the process survives: what they do then has an
     * effect or none, or throws an {@link IllegalStateException} or a {@link TransportException}. A transport over mapped
     * memory keeps it mapped until the last connection is closed.
     */
    @Override
    void close();
}
