package dev.baton.tck;

import dev.baton.spi.Transport;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
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

    /** Removes all storage. The transport is closed by then. */
    @Override
    void close();
}
