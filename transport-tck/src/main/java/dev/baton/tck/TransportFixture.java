package dev.baton.tck;

import dev.baton.spi.Transport;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One transport under test, with the place where it stores things, for the length of one test.
 *
 * <p>Used by the thread of the test, but for {@link #newTopic}, which any thread may call.
 */
public interface TransportFixture extends AutoCloseable {
    /** Numbers the topics of this JVM, so that tests which share a broker do not meet. */
    AtomicInteger TOPICS = new AtomicInteger();

    /**
     * Opens the transport over an empty place of storage, or over one where nobody uses the names that
     * {@link #newTopic} gives. Configured small: tests fill it.
     */
    Transport open();

    /**
     * Opens the transport again over the storage of the one opened before, which has been closed. Called only where the
     * transport guarantees DURABLE.
     */
    default Transport reopen() {
        throw new UnsupportedOperationException("this transport keeps nothing");
    }

    /**
     * Opens another transport over the same storage while the first is open, as another process would. Called only where
     * {@link Transport#sharesPartitions}, or where a transport that crosses processes does not keep rivals out; the test closes
     * it.
     */
    default Transport openAnother() {
        throw new UnsupportedOperationException("this transport stays in its process");
    }

    /** With which options a process of its own opens the transport, by its provider; where {@link Transport#sharesPartitions}. */
    default Map<String, String> openingOptions() {
        return Map.of();
    }

    /** After which silence members of a group are given up in these tests: as short as the transport allows. */
    default Duration sessionTimeout() {
        return Duration.ofSeconds(6);
    }

    /** Within which a writer or reader learns that a newer one has taken its place, on a machine with other work. */
    default Duration replacedWithin() {
        return Duration.ofSeconds(5);
    }

    /** A name that no test has used yet. */
    default String newTopic() {
        return "tck-" + TOPICS.incrementAndGet();
    }

    /** The longest that anything awaited in a test may take; what takes longer has failed. */
    default Duration longestWait() {
        return Duration.ofSeconds(10);
    }

    /**
     * How long a test watches for what must not happen, such as a frame that shows before its flush. Zero where a
     * mistake would show at once.
     */
    default Duration settle() {
        return Duration.ZERO;
    }

    /**
     * The most frames that a topic holds unread before its writer is refused, an upper bound; empty where only storage
     * limits it, so that a stopped reader does not stop the writer.
     */
    OptionalInt backlog();

    /** Names that {@link Transport#createTopics} must refuse; a transport that cannot carry others either adds them. */
    default List<String> refusedNames() {
        return List.of("", " ");
    }

    /** Whether a second live writer of a topic, opened through the same transport, is refused. */
    default boolean refusesSecondWriter() {
        return true;
    }

    /** Whether a second live reader of a consumer, opened through another connection of the same transport, is refused. */
    default boolean refusesSecondReader() {
        return true;
    }

    /**
     * Whether another program can write records into a topic that are no frames; then {@link #writeForeignRecord} does.
     */
    default boolean holdsForeignRecords() {
        return false;
    }

    /** Writes a record that is no frame behind everything that a topic holds, past the transport. */
    default void writeForeignRecord(String topic) {
        throw new UnsupportedOperationException("this transport holds frames alone");
    }

    /** Whether the path from claim to acknowledge allocates nothing once warm. */
    default boolean allocatesNothing() {
        return false;
    }

    /** Frames for the tests that send many; fewer where each costs a round trip. */
    default int manyFrames() {
        return 100_000;
    }

    /**
     * What the transport has left behind though every topic was deleted and it was closed: files, directories,
     * descriptors, for people to read.
     */
    default Collection<String> leftovers() {
        return List.of();
    }

    /**
     * {@return whether a durable transport still holds frames that every consumer has acknowledged, so that an inspector and a
     * new consumer find them} The contract leaves it open ({@link dev.baton.spi.TopicReader#acknowledge}); with true more is
     * tested.
     */
    default boolean keepsAcknowledgedFrames() {
        return false;
    }

    /**
     * {@return whether the server behind the transport runs in the process of the tests, so that sockets and files of this
     * process may be the server's}
     */
    default boolean runsServerHere() {
        return false;
    }

    /** The faults of its network or server that this fixture can cause; none for a transport without a server. */
    default Set<NetworkFault> networkFaults() {
        return Set.of();
    }

    /** Begins a fault, which lasts until {@link #heal}. Called only for {@link #networkFaults}. */
    default void begin(NetworkFault fault) {
        throw new UnsupportedOperationException("this fixture causes no " + fault);
    }

    /**
     * Ends all faults, and returns when the server answers and stores again: what is opened from then on works. Called
     * only where {@link #networkFaults} names some; does nothing without a fault.
     */
    default void heal() {}

    /**
     * The time within which a writer with frames that are not stored reports a fault that lasts: {@code doWork}, or a call
     * of the writer, throws.
     */
    default Duration reportedWithin() {
        return longestWait();
    }

    /**
     * The time within which a call that may block ends, with an exception, while the server does not answer: {@code
     * connect}, the opens, {@code createTopics}, {@code topics}, and the closes.
     */
    default Duration blocksAtMost() {
        return longestWait();
    }

    /**
     * {@return whether {@link #removeFrames} works: frames may be removed though a consumer has not read them, as by retention}
     */
    default boolean removesFrames() {
        return false;
    }

    /** Removes the frames of a topic up to a sequence from the store, past the transport, as retention does. */
    default void removeFrames(String topic, long upTo) {
        throw new UnsupportedOperationException("this fixture removes no frames");
    }

    /** Removes all storage. The transport is closed by then. */
    @Override
    void close();
}
