package dev.baton.chronicle.consumers;

import dev.baton.chronicle.fencing.DirectoryLocks;
import dev.baton.chronicle.fencing.WriterLock;
import dev.baton.chronicle.log.TopicLog;
import dev.baton.spi.ObservingConsumer;
import dev.baton.spi.OccupiedException;
import dev.baton.spi.ReplacedException;
import java.util.ArrayList;
import java.util.List;
import net.openhft.chronicle.core.values.LongValue;

/**
 * How far a named consumer has come, kept in the queue's metadata: the sequence acknowledged, and the index of an
 * excerpt at or before the one to go on with. Two writes to mapped memory, no system call.
 *
 * <p>The sequence is written first. A crash between the two leaves an older index, from which frames up to the sequence
 * are skipped. A consumer that enters has no sequence until its place is found: then the index is written first, so that
 * one that was killed meanwhile is still new.
 *
 * <p>Beside them stands the process that reads for the consumer, see {@link DirectoryLocks}: there is one such reader at
 * a time, which looks there before each excerpt and each acknowledgement. Confined to its connection's thread.
 */
public final class TailerPosition {
    private static final String PREFIX = "baton.consumer.";
    private static final String SEQUENCE = ".sequence";
    private static final String INDEX = ".index";
    private static final String READER = ".reader";

    /** Not known to the topic, and known but not at its place. */
    private static final long UNKNOWN = Long.MIN_VALUE;

    private static final long ENTERED = -1;

    /** Of a consumer that was forgotten: holds no writer back, and keeps nothing from being freed. */
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
     * Finds a consumer's position, or makes that of one that has read nothing, and keeps other readers from it until
     * {@link #close} or the death of the process.
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
                LongValue sequence = store.acquireValueFor(key + SEQUENCE, Long.MIN_VALUE);
                LongValue index = store.acquireValueFor(key + INDEX, 0);
                long known = sequence.getVolatileValue();
                if (known == UNKNOWN || known == FORGOTTEN) {
                    index.setVolatileValue(0);
                    try (LongValue consumers = store.acquireValueFor(TopicLog.CONSUMERS, 0)) {
                        enter(sequence, consumers);
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

    /** Takes the place by a compare-and-swap, as the lock on the metadata may be lost: see {@link WriterLock}. */
    private static void claim(TopicLog log, String consumer, LongValue reader, DirectoryLocks locks, long process) {
        long free;
        do {
            free = requireNoReader(log, consumer, reader, locks);
        } while (!reader.compareAndSwapValue(free, process));
    }

    /** Returns what stands in place of the number of a live process. */
    private static long requireNoReader(TopicLog log, String consumer, LongValue reader, DirectoryLocks locks) {
        long holder = reader.getVolatileValue();
        if (holder != 0 && locks.isAlive(holder)) {
            reader.close();
            throw refused(log, consumer, holder == locks.number(), DirectoryLocks.pid(holder));
        }
        return holder;
    }

    /**
     * Checks that no consumer has a live reader.
     *
     * @throws OccupiedException when one has
     */
    public static void requireNoReaders(TopicLog log, DirectoryLocks locks) {
        log.inMetadata(store -> {
            List<String> keys = new ArrayList<>();
            store.forEachKey(keys, (found, key, value) -> found.add(key.toString()));
            for (String key : keys) {
                if (isSequence(key)) {
                    try (LongValue reader =
                            store.acquireValueFor(key.substring(0, key.length() - SEQUENCE.length()) + READER, 0)) {
                        requireNoReader(log, consumer(key), reader, locks);
                    }
                }
            }
            return null;
        });
    }

    /**
     * Forgets a consumer, as if the topic had never had it. The sequence goes first: a process that is killed behind it
     * has forgotten the consumer, whose index another attempt removes.
     *
     * @return whether the topic had it
     * @throws OccupiedException when the consumer has a live reader
     */
    public static boolean forget(TopicLog log, String consumer, DirectoryLocks locks) {
        String key = PREFIX + key(consumer);
        return log.inMetadata(store -> {
            boolean[] isThere = {false};
            store.forEachKey(isThere, (found, name, value) -> found[0] |= (key + SEQUENCE).contentEquals(name));
            if (!isThere[0]) {
                return false;
            }
            try (LongValue reader = store.acquireValueFor(key + READER, 0);
                    LongValue sequence = store.acquireValueFor(key + SEQUENCE, UNKNOWN);
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

    /** Whether a sequence is that of a consumer that was forgotten. */
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
     * Counts first: a process that is killed in between is counted again when it comes back, where one that was entered
     * but not counted would never be noticed by a live writer.
     */
    public static void enter(LongValue sequence, LongValue consumers) {
        consumers.addAtomicValue(1);
        sequence.setVolatileValue(ENTERED);
    }

    /** Changes with every consumer that the topic gets; not less than there are. To be closed. */
    static LongValue count(TopicLog log) {
        return log.number(TopicLog.CONSUMERS);
    }

    /** Whether this is the key of a consumer's sequence. */
    public static boolean isSequence(CharSequence key) {
        String text = key.toString();
        return text.startsWith(PREFIX) && text.endsWith(SEQUENCE);
    }

    /** Returns whether this is a key of a consumer that holds nothing back. */
    static boolean isObserving(String key) {
        return key.startsWith(PREFIX + ObservingConsumer.PREFIX);
    }

    /** Whether this is the key of a consumer's index. */
    static boolean isIndex(CharSequence key) {
        String text = key.toString();
        return text.startsWith(PREFIX) && text.endsWith(INDEX);
    }

    /** The newest sequence acknowledged, 0 for none. */
    public long sequence() {
        return sequence.getValue();
    }

    /** The excerpt to go on with, or an earlier one; 0 for the oldest there is. */
    public long index() {
        return index.getValue();
    }

    public void sequence(long acknowledged) {
        sequence.setOrderedValue(acknowledged);
    }

    public void index(long excerpt) {
        index.setOrderedValue(excerpt);
    }

    /** Whether the consumer has no place yet: it is seen for the first time, or was killed when it was. */
    public boolean isNew() {
        return sequence.getVolatileValue() < 0;
    }

    /**
     * Gives a new consumer its place.
     *
     * @param oldestIndex of the excerpt to begin with, 0 when there is none yet
     * @param sequenceBefore of the frame before it
     */
    public void start(long oldestIndex, long sequenceBefore) {
        index(oldestIndex);
        sequence(sequenceBefore);
    }

    /** What a consumer had before it was to be moved. */
    public record Before(long sequence, long index) {}

    /** Has a consumer enter again, which keeps all that the topic holds until it has its new place: see {@code SpaceReclaimer}. */
    public Before enterAgain(TopicLog log) {
        Before before = new Before(sequence.getVolatileValue(), index.getVolatileValue());
        index.setVolatileValue(0);
        log.inMetadata(store -> {
            try (LongValue consumers = store.acquireValueFor(TopicLog.CONSUMERS, 0)) {
                enter(sequence, consumers);
            }
            return null;
        });
        return before;
    }

    /** Gives a consumer that entered again what it had; one that had no place is forgotten. */
    public void putBack(Before before) {
        boolean hadPlace = before.sequence >= 0;
        sequence.setVolatileValue(hadPlace ? before.sequence : FORGOTTEN);
        index.setVolatileValue(hadPlace ? before.index : FORGOTTEN_INDEX);
    }

    /**
     * Checks that no other process reads for the consumer, by a look into mapped memory.
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

    /** Lets another reader in. */
    public void close() {
        reader.compareAndSwapValue(process, 0);
        reader.close();
        sequence.close();
        index.close();
    }

    /** The consumer whose sequence has this key. */
    public static String consumer(String sequenceKey) {
        return name(sequenceKey.substring(PREFIX.length(), sequenceKey.length() - SEQUENCE.length()));
    }

    /** The name that {@link #key} was made of. */
    private static String name(String key) {
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < key.length(); i++) {
            if (key.charAt(i) != '^') {
                name.append(key.charAt(i));
            }
        }
        return name.toString();
    }

    /** Chronicle compares keys without regard to case; consumers differ by it. */
    private static String key(String consumer) {
        StringBuilder key = new StringBuilder();
        for (int i = 0; i < consumer.length(); i++) {
            char c = consumer.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                key.append('^');
            }
            key.append(c);
        }
        return key.toString();
    }
}
