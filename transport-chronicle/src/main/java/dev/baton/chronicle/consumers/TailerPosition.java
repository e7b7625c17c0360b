package dev.baton.chronicle.consumers;

import dev.baton.chronicle.format.FileDefect;
import dev.baton.chronicle.format.StoredMetadata;
import dev.baton.chronicle.format.StoredPosition;
import dev.baton.chronicle.log.TopicLog;
import dev.baton.chronicle.platform.DirectoryLocks;
import dev.baton.spi.ObservingConsumer;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.ReplacedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.impl.TableStore;

/**
 * The position of a named consumer, kept in the queue's metadata: the sequence acknowledged, and the index of the
 * excerpt where it continues or of an earlier one, see {@link StoredPosition}. A consumer that is added has no sequence
 * until its position is found, so that a consumer that was killed meanwhile is still new.
 *
 * <p>The metadata also has the number of the process that reads for the consumer, see {@link DirectoryLocks}: there is
 * one such reader at a time, which checks it before each excerpt and each acknowledgement. Confined to its connection's
 * thread.
 */
public final class TailerPosition {
    /** The begin of the names of consumers' positions in the metadata. */
    public static final String PREFIX = "baton.consumer.";

    private static final String READER = ".reader";

    /** The longest key of a consumer: Chronicle damages the metadata when it adds a number whose name has more than 240 characters. */
    private static final int LONGEST_KEY = 210;

    /** The sequence of a consumer that the topic does not have. */
    private static final long ABSENT = Long.MIN_VALUE;

    /** The sequence of a consumer that was added and has no position yet. */
    private static final long ADDED = -1;

    /** The sequence of a consumer that was forgotten: it holds no writer back, and keeps nothing from being freed. */
    private static final long FORGOTTEN = Long.MIN_VALUE + 1;

    private static final long FORGOTTEN_INDEX = Long.MAX_VALUE;

    private final StoredPosition stored;
    private final LongValue reader;
    private final boolean isAdded; // by this opening
    private final long process;

    private TailerPosition(StoredPosition stored, LongValue reader, long process, boolean isAdded) {
        this.stored = stored;
        this.reader = reader;
        this.process = process;
        this.isAdded = isAdded;
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
                StoredPosition stored = position(store, key);
                try {
                    read(log, stored, key);
                } catch (DamagedTopicException damaged) {
                    stored.close();
                    throw damaged;
                }
                long known = stored.sequence();
                boolean isAbsent = known == ABSENT || known == FORGOTTEN;
                stored.set(known, isAbsent ? 0 : stored.index()); // which repairs a damaged copy
                if (isAbsent) {
                    add(store, stored);
                }
                return new TailerPosition(stored, reader, process, isAbsent);
            } catch (RuntimeException | Error e) {
                reader.compareAndSwapValue(process, 0);
                reader.close();
                throw e;
            }
        });
    }

    /**
     * Returns the index of a consumer's position, read from the file; 0 for none, {@link Long#MAX_VALUE} for one that was
     * forgotten. Thread-safe.
     */
    public static long storedIndex(TopicLog log, String consumer) throws IOException {
        try {
            String key = PREFIX + key(consumer);
            StoredPosition.Value stored =
                    StoredMetadata.positions(log.directory, key).get(key);
            return stored == null ? 0 : stored.index();
        } catch (FileDefect reportedByTheOpening) {
            return 0;
        }
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
     * Forgets a consumer, as if the topic had never had it, also one whose position is damaged.
     *
     * @return whether the topic had it
     * @throws OccupiedException when the consumer has a live reader
     */
    public static boolean forget(TopicLog log, String consumer, DirectoryLocks locks) {
        String key = PREFIX + key(consumer);
        return log.inMetadata(store -> {
            if (!consumers(store).contains(key)) {
                return false;
            }
            try (LongValue reader = store.acquireValueFor(key + READER, 0);
                    StoredPosition stored = position(store, key)) {
                long process = locks.process();
                claim(log, consumer, reader, locks, process);
                boolean wasKnown = !stored.read() || stored.sequence() != FORGOTTEN;
                stored.set(FORGOTTEN, FORGOTTEN_INDEX);
                reader.compareAndSwapValue(process, 0);
                return wasKnown;
            }
        });
    }

    /**
     * Moves all consumers of a topic back that have acknowledged more than it has, as the rest is lost: a writer gives the same
     * sequences to later frames, which these consumers would skip.
     *
     * @return the newest sequence that one of them has acknowledged; 0 for none
     */
    public static long moveBack(TopicLog log, long newest) {
        return log.inMetadata(store -> {
            long acknowledged = 0;
            for (String key : consumers(store)) {
                try (StoredPosition stored = position(store, key)) {
                    boolean isWhole = stored.read(); // a damaged one is refused when its consumer opens
                    if (isWhole && stored.sequence() > newest && stored.sequence() != FORGOTTEN) {
                        acknowledged = Math.max(acknowledged, stored.sequence());
                        stored.set(newest, 0);
                    }
                }
            }
            return acknowledged;
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
    public static void add(LongValue consumers, StoredPosition stored) {
        consumers.addAtomicValue(1);
        stored.set(ADDED, 0);
    }

    private static void add(TableStore<?> store, StoredPosition stored) {
        try (LongValue consumers = store.acquireValueFor(TopicLog.CONSUMERS, 0)) {
            add(consumers, stored);
        }
    }

    /**
     * Returns the number that changes with every consumer that the topic gets, at least that of its consumers. To be
     * closed.
     */
    static LongValue count(TopicLog log) {
        return log.number(TopicLog.CONSUMERS);
    }

    /** Returns the names of all consumers' positions in a queue's metadata. */
    static List<String> consumers(TableStore<?> store) {
        List<String> keys = new ArrayList<>();
        store.forEachKey(keys, (found, key, value) -> found.add(key.toString()));
        return StoredPosition.names(keys, PREFIX);
    }

    /** Opens a position by its name, and adds one that is absent. */
    static StoredPosition position(TableStore<?> store, String key) {
        return StoredPosition.open(store::acquireValueFor, key, ABSENT);
    }

    /**
     * Reads a position.
     *
     * @throws DamagedTopicException when no copy of it is whole
     */
    static void read(TopicLog log, StoredPosition position, String key) {
        if (!position.read()) {
            throw log.damaged(
                    key,
                    "forget consumer " + consumer(key) + ", which then starts at the oldest frame left, or restore the"
                            + " topic's files");
        }
    }

    /** Returns whether a name in the metadata is that of the number of the process that reads for a consumer. */
    public static boolean isReader(String name) {
        return name.startsWith(PREFIX) && name.endsWith(READER);
    }

    /** Returns whether this is the position of an observing consumer, which holds nothing back. */
    static boolean isObserving(String key) {
        return key.startsWith(PREFIX + ObservingConsumer.PREFIX);
    }

    /** Returns the newest sequence acknowledged, 0 for none. */
    public long sequence() {
        return stored.sequence();
    }

    /**
     * Returns the index of the excerpt where the consumer continues, or of an earlier one; 0 for the oldest there is.
     */
    public long index() {
        return stored.index();
    }

    /** Moves the consumer to any place. */
    public void moveTo(long acknowledged, long excerpt) {
        stored.set(acknowledged, excerpt);
    }

    /** Moves the consumer forward. @param isFar whether many bytes lie between the excerpt and the last one stored */
    public void advance(long acknowledged, long excerpt, boolean isFar) {
        stored.advance(acknowledged, excerpt, isFar);
    }

    /** Returns whether the consumer has no position yet: it is opened for the first time, or was killed when it was. */
    public boolean isNew() {
        return stored.sequence() < 0;
    }

    /**
     * Sets the position of a new consumer.
     *
     * @param oldestIndex of its first excerpt, 0 when there is none yet
     * @param sequenceBefore of the frame before it
     */
    public void start(long oldestIndex, long sequenceBefore) {
        stored.set(sequenceBefore, oldestIndex);
    }

    /** The position of a consumer before it is moved. */
    public record Before(long sequence, long index) {}

    /**
     * Adds the consumer anew, which keeps all frames of the topic until it has its new position: see {@code
     * SpaceReclaimer}.
     */
    public Before addAgain(TopicLog log) {
        Before before = new Before(stored.sequence(), stored.index());
        stored.set(before.sequence, 0);
        log.inMetadata(store -> {
            add(store, stored);
            return null;
        });
        return before;
    }

    /** Restores the position of a consumer that was added anew; one that had none is forgotten. Leaves it to a newer reader. */
    public void restore(Before before) {
        if (reader.getVolatileValue() != process) {
            return;
        }
        if (before.sequence >= 0) {
            stored.set(before.sequence, before.index);
        } else {
            forget();
        }
    }

    /** Forgets the consumer if this opening has added it, and its reader could not be opened. */
    public void forgetIfAdded() {
        if (isAdded && reader.getVolatileValue() == process) {
            forget();
        }
    }

    private void forget() {
        stored.set(FORGOTTEN, FORGOTTEN_INDEX);
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
                    consumer,
                    DirectoryLocks.replaced(
                            log.topic,
                            log.directory,
                            "is not read by this process for consumer " + consumer + " any more: "
                                    + DirectoryLocks.text(holder) + " has taken it over",
                            "reader"),
                    null);
        }
    }

    /** Closes the position, and allows another reader. */
    public void close() {
        if (reader.getVolatileValue() == process) {
            stored.settle();
        }
        reader.compareAndSwapValue(process, 0);
        reader.close();
        stored.close();
    }

    /** Returns the consumer whose position has this name. */
    public static String consumer(String key) {
        return key.substring(PREFIX.length()).replace("^", "");
    }

    /**
     * Checks that a consumer may have this name, before anything is opened.
     *
     * @throws IllegalArgumentException when its key would be too long
     */
    public static void checkName(String consumer) {
        if (key(consumer).length() > LONGEST_KEY) {
            throw new IllegalArgumentException("consumer '" + consumer + "' is not allowed; use at most " + LONGEST_KEY
                    + " characters, of which A-Z count twice");
        }
    }

    /** Returns the key of a consumer. Chronicle compares keys without regard to case; consumers differ by it. */
    private static String key(String consumer) {
        return consumer.replaceAll("[A-Z]", "^$0");
    }
}
