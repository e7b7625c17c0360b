package dev.baton.chronicle.consumers;

import dev.baton.chronicle.fencing.DirectoryLocks;
import dev.baton.chronicle.log.TopicLog;
import dev.baton.spi.ObservingConsumer;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.ReplacedException;
import java.util.ArrayList;
import java.util.List;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.impl.TableStore;

/**
 * The position of a named consumer, kept in the queue's metadata: the sequence acknowledged, and the index of the
 * excerpt where it continues or of an earlier one. An update is two writes to mapped memory, no system call.
 *
 * <p>The sequence is written first. A crash between the two leaves an older index, from which frames up to the sequence
 * are skipped. A consumer that is added has no sequence until its position is found: then the index is written first,
 * so that a consumer that was killed meanwhile is still new.
 *
 * <p>The metadata also has the number of the process that reads for the consumer, see {@link DirectoryLocks}: there is
 * one such reader at a time, which checks it before each excerpt and each acknowledgement. Confined to its connection's
 * thread.
 */
public final class TailerPosition {
    private static final String PREFIX = "baton.consumer.";
    private static final String SEQUENCE = ".sequence";
    private static final String INDEX = ".index";
    private static final String READER = ".reader";

    /** The sequence of a consumer that the topic does not have. */
    private static final long ABSENT = Long.MIN_VALUE;

    /** The sequence of a consumer that was added and has no position yet. */
    private static final long ADDED = -1;

    /** The sequence of a consumer that was forgotten: it holds no writer back, and keeps nothing from being freed. */
    private static final long FORGOTTEN = Long.MIN_VALUE + 1;

    private static final long FORGOTTEN_INDEX = Long.MAX_VALUE;

    private final LongValue sequence;
    private final LongValue index;
    private final LongValue reader;
    private final long process;

    private TailerPosition(LongValue sequence, LongValue index, LongValue reader, long process) {
        this.sequence = sequence;
        this.index = index;
        this.reader = reader;
        this.process = process;
    }

    /**
     * Finds a consumer's position, or adds one without a position, and excludes other readers until {@link #close} or
     * the death of the process.
     *
     * @throws OccupiedException when the consumer has a live reader
     */
    public static TailerPosition open(TopicLog log, String consumer, DirectoryLocks locks) {
        String key = PREFIX + key(consumer);
        long process = locks.process();
        return log.inMetadata(store -> {
            LongValue reader = store.acquireValueFor(key + READER, 0);
            claim(log, consumer, reader, locks, process);
            try {
                LongValue sequence = store.acquireValueFor(key + SEQUENCE, ABSENT);
                LongValue index = store.acquireValueFor(key + INDEX, 0);
                long known = sequence.getVolatileValue();
                if (known == ABSENT || known == FORGOTTEN) {
                    index.setVolatileValue(0);
                    try (LongValue consumers = store.acquireValueFor(TopicLog.CONSUMERS, 0)) {
                        add(sequence, consumers);
                    }
                }
                return new TailerPosition(sequence, index, reader, process);
            } catch (RuntimeException | Error e) {
                reader.compareAndSwapValue(process, 0);
                reader.close();
                throw e;
            }
        });
    }

    /** Claims the reader by a compare-and-swap, as the lock on the metadata may be lost: see {@code WriterLock}. */
    private static void claim(TopicLog log, String consumer, LongValue reader, DirectoryLocks locks, long process) {
        long free;
        do {
            free = requireNoReader(log, consumer, reader, locks);
        } while (!reader.compareAndSwapValue(free, process));
    }

    /** Returns the present value of the reader, which is not the number of a live process. */
    private static long requireNoReader(TopicLog log, String consumer, LongValue reader, DirectoryLocks locks) {
        long holder = reader.getVolatileValue();
        if (holder != 0 && locks.isAlive(holder)) {
            reader.close();
            throw refused(log, consumer, holder == locks.number(), DirectoryLocks.pid(holder));
        }
        return holder;
    }

    /**
     * Forgets a consumer, as if the topic had never had it. The sequence is written first: when the process is killed
     * behind it, the consumer is forgotten, and another attempt clears its index.
     *
     * @return whether the topic had it
     * @throws OccupiedException when the consumer has a live reader
     */
    public static boolean forget(TopicLog log, String consumer, DirectoryLocks locks) {
        String key = PREFIX + key(consumer);
        return log.inMetadata(store -> {
            if (!keys(store).contains(key + SEQUENCE)) {
                return false;
            }
            try (LongValue reader = store.acquireValueFor(key + READER, 0);
                    LongValue sequence = store.acquireValueFor(key + SEQUENCE, ABSENT);
                    LongValue index = store.acquireValueFor(key + INDEX, 0)) {
                long process = locks.process();
                claim(log, consumer, reader, locks, process);
                boolean wasKnown = sequence.getVolatileValue() != FORGOTTEN;
                sequence.setVolatileValue(FORGOTTEN);
                index.setVolatileValue(FORGOTTEN_INDEX);
                reader.compareAndSwapValue(process, 0);
                return wasKnown;
            }
        });
    }

    /** Returns whether a sequence is that of a consumer that was forgotten. */
    public static boolean isForgotten(long sequence) {
        return sequence == FORGOTTEN;
    }

    private static OccupiedException refused(TopicLog log, String consumer, boolean isThisProcess, long pid) {
        return log.occupied(
                "has a live reader for consumer " + consumer + " already, in " + (isThisProcess ? "this " : "")
                        + "process " + pid
                        + (isThisProcess
                                ? " (close that one first),"
                                : " (close that one, or wait until the process has ended),"));
    }

    /**
     * Adds a consumer, the count first: if the process is killed in between, the consumer is counted again when it is
     * opened the next time, whereas a live writer would never notice one that was added but not counted.
     */
    public static void add(LongValue sequence, LongValue consumers) {
        consumers.addAtomicValue(1);
        sequence.setVolatileValue(ADDED);
    }

    /**
     * Returns the number that changes with every consumer that the topic gets, at least that of its consumers. To be
     * closed.
     */
    static LongValue count(TopicLog log) {
        return log.number(TopicLog.CONSUMERS);
    }

    /** Returns all keys of a queue's metadata. */
    static List<String> keys(TableStore<?> store) {
        List<String> keys = new ArrayList<>();
        store.forEachKey(keys, (found, key, value) -> found.add(key.toString()));
        return keys;
    }

    /** Returns whether this is the key of a consumer's sequence. */
    public static boolean isSequence(String key) {
        return key.startsWith(PREFIX) && key.endsWith(SEQUENCE);
    }

    /** Returns whether this is a key of an observing consumer, which holds nothing back. */
    static boolean isObserving(String key) {
        return key.startsWith(PREFIX + ObservingConsumer.PREFIX);
    }

    /** Returns whether this is the key of a consumer's index. */
    static boolean isIndex(String key) {
        return key.startsWith(PREFIX) && key.endsWith(INDEX);
    }

    /** Returns the newest sequence acknowledged, 0 for none. */
    public long sequence() {
        return sequence.getValue();
    }

    /**
     * Returns the index of the excerpt where the consumer continues, or of an earlier one; 0 for the oldest there is.
     */
    public long index() {
        return index.getValue();
    }

    public void sequence(long acknowledged) {
        sequence.setOrderedValue(acknowledged);
    }

    public void index(long excerpt) {
        index.setOrderedValue(excerpt);
    }

    /** Returns whether the consumer has no position yet: it is opened for the first time, or was killed when it was. */
    public boolean isNew() {
        return sequence.getVolatileValue() < 0;
    }

    /**
     * Sets the position of a new consumer.
     *
     * @param oldestIndex of its first excerpt, 0 when there is none yet
     * @param sequenceBefore of the frame before it
     */
    public void start(long oldestIndex, long sequenceBefore) {
        index(oldestIndex);
        sequence(sequenceBefore);
    }

    /** The position of a consumer before it is moved. */
    public record Before(long sequence, long index) {}

    /**
     * Adds the consumer anew, which keeps all frames of the topic until it has its new position: see {@code
     * SpaceReclaimer}.
     */
    public Before addAgain(TopicLog log) {
        Before before = new Before(sequence.getVolatileValue(), index.getVolatileValue());
        index.setVolatileValue(0);
        log.inMetadata(store -> {
            try (LongValue consumers = store.acquireValueFor(TopicLog.CONSUMERS, 0)) {
                add(sequence, consumers);
            }
            return null;
        });
        return before;
    }

    /** Restores the position of a consumer that was added anew; one that had none is forgotten. */
    public void restore(Before before) {
        boolean hadPlace = before.sequence >= 0;
        sequence.setVolatileValue(hadPlace ? before.sequence : FORGOTTEN);
        index.setVolatileValue(hadPlace ? before.index : FORGOTTEN_INDEX);
    }

    /**
     * Checks that no other process reads for the consumer, by one read of mapped memory.
     *
     * @throws ReplacedException when another process does
     */
    public void requireHeld(TopicLog log, String consumer) {
        long holder = reader.getVolatileValue();
        if (holder != process) {
            throw new ReplacedException(
                    log.topic,
                    DirectoryLocks.replaced(
                            log,
                            "is not read by this process for consumer " + consumer + " any more: "
                                    + DirectoryLocks.text(holder) + " has taken it over",
                            "reader"));
        }
    }

    /** Closes the position, and allows another reader. */
    public void close() {
        reader.compareAndSwapValue(process, 0);
        reader.close();
        sequence.close();
        index.close();
    }

    /** Returns the consumer whose sequence has this key. */
    public static String consumer(String sequenceKey) {
        return sequenceKey
                .substring(PREFIX.length(), sequenceKey.length() - SEQUENCE.length())
                .replace("^", "");
    }

    /** Returns the key of a consumer. Chronicle compares keys without regard to case; consumers differ by it. */
    private static String key(String consumer) {
        return consumer.replaceAll("[A-Z]", "^$0");
    }
}
