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
 * A transport under test with its storage, for one test.
 *
 * <p>Used by the thread of the test, but for {@link #newTopic}, which any thread may call.
 */
public interface TransportFixture extends AutoCloseable {
    /** A counter of the topics of this JVM, so that tests which share a broker use different names. */
    AtomicInteger TOPICS = new AtomicInteger();

    /**
     * Opens the transport over empty storage, or over storage in which the names of {@link #newTopic} are free. Its capacity is small, as
     * tests exhaust it.
     */
    Transport open();

    /**
     * Opens the transport again over the storage of the previous one, which is closed. Called only if the transport guarantees DURABLE.
     */
    default Transport reopen() {
        throw new UnsupportedOperationException("this transport is not durable");
    }

    /**
     * Opens another transport over the same storage while the first is open, as another process would. Called only if {@link
     * Transport#sharesPartitions}, or if the transport crosses processes and does not refuse rivals; the test closes it.
     */
    default Transport openAnother() {
        throw new UnsupportedOperationException("this transport stays in its process");
    }

    /**
     * Returns the options by which another process opens the transport through its provider; used if {@link
     * Transport#sharesPartitions}, and where an option decides on a guarantee.
     */
    default Map<String, String> openingOptions() {
        return Map.of();
    }

    /** Returns the session timeout of group members in these tests, as short as the transport allows. */
    default Duration sessionTimeout() {
        return Duration.ofSeconds(6);
    }

    /** Returns the time within which a writer or reader detects on a busy machine that a newer one has replaced it. */
    default Duration replacedWithin() {
        return Duration.ofSeconds(5);
    }

    /** Returns a topic name that no test has used yet. */
    default String newTopic() {
        return "tck-" + TOPICS.incrementAndGet();
    }

    /** Returns the time limit of a wait in a test. */
    default Duration longestWait() {
        return Duration.ofSeconds(10);
    }

    /**
     * Returns the time for which a test watches for a forbidden event, such as a frame that is visible before its flush. Zero if a mistake
     * shows at once.
     */
    default Duration settle() {
        return Duration.ZERO;
    }

    /**
     * Returns an upper bound of the unread frames that a topic holds before its writer has to wait; empty if only storage limits it, so that
     * a stopped reader does not stop the writer.
     */
    OptionalInt backlog();

    /** Returns the names that {@link Transport#createTopics} must refuse; a transport adds those that it cannot carry. */
    default List<String> refusedNames() {
        return List.of("", " ");
    }

    /** {@return whether a second live writer of a topic, opened through the same transport, is refused} */
    default boolean refusesSecondWriter() {
        return true;
    }

    /** {@return whether a second live reader of a consumer, opened through another connection of the same transport, is refused} */
    default boolean refusesSecondReader() {
        return true;
    }

    /** {@return whether another program can write records into a topic that are no frames, as {@link #writeForeignRecord} does} */
    default boolean holdsForeignRecords() {
        return false;
    }

    /** Appends a record that is no frame to a topic, bypassing the transport. */
    default void writeForeignRecord(String topic) {
        throw new UnsupportedOperationException("this transport holds frames alone");
    }

    /** {@return whether the path from claim to acknowledge allocates nothing once warm} */
    default boolean allocatesNothing() {
        return false;
    }

    /** Returns the number of frames of tests that send many; fewer if each one costs a round trip. */
    default int manyFrames() {
        return 100_000;
    }

    /**
     * Returns descriptions of the files, directories and descriptors that are left after every topic was deleted and the transport was
     * closed.
     */
    default Collection<String> leftovers() {
        return List.of();
    }

    /**
     * {@return whether a durable transport still holds frames that every consumer has acknowledged, so that an inspector and a new consumer
     * find them} The contract leaves it open ({@link dev.baton.spi.TopicReader#acknowledge}); if true, more is tested.
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

    /** Returns the faults of the network or server that this fixture can cause; none for a transport without a server. */
    default Set<NetworkFault> networkFaults() {
        return Set.of();
    }

    /** Begins a fault, which lasts until {@link #heal}. Called only for {@link #networkFaults}. */
    default void begin(NetworkFault fault) {
        throw new UnsupportedOperationException("this fixture causes no " + fault);
    }

    /** Returns the faults of storage that this fixture can cause; none for a transport that stores nothing. */
    default Set<StorageFault> storageFaults() {
        return Set.of();
    }

    /**
     * Damages what is stored of a topic, which is closed, and of consumer {@value TopicProbe#CONSUMER}; {@link
     * StorageFault#FAILED_SYNCS} begins while the topic is open. Called only for {@link #storageFaults}.
     */
    default void begin(StorageFault fault, String topic) {
        throw new UnsupportedOperationException("this fixture causes no " + fault);
    }

    /**
     * Ends all faults except for damage, and returns when the server answers and stores again, so that new connections work. Called only
     * if there are {@link #networkFaults} or {@link #storageFaults}; has no effect without a fault.
     */
    default void heal() {}

    /**
     * Returns the time within which a writer with frames that are not stored reports a lasting fault: {@code doWork}, or a call of the
     * writer, throws.
     */
    default Duration reportedWithin() {
        return longestWait();
    }

    /**
     * Returns the time within which a call that may block throws while the server does not answer: {@code connect}, the opens, {@code
     * createTopics}, {@code topics}, and the closes.
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

    /** Removes the frames of a topic up to a sequence from the store, bypassing the transport, as retention does. */
    default void removeFrames(String topic, long upTo) {
        throw new UnsupportedOperationException("this fixture removes no frames");
    }

    /** Removes all storage. The transport is closed by then. */
    @Override
    void close();
}
