package dev.baton.chronicle.format;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import net.openhft.chronicle.core.values.LongValue;

/**
 * A position in a queue's metadata: the newest sequence that is done, and the index of the excerpt that follows or of an
 * earlier one. It is stored twice, each copy with a check of its sequence and index, so that a damaged copy is detected
 * and the other one counts; of two whole copies, the one with the higher sequence.
 *
 * <p>The one owner writes one copy after the other, so that at each moment one of them is whole, also if its process is
 * killed in between: a position is always the old one or the new one. {@link #set} writes both. {@link #advance}, which
 * runs for each acknowledgement, writes the older one, so that a damaged newest copy costs the last advance. The check is
 * a bijection of either number, which detects every change of one number, and others except for one in 2^64.
 *
 * <p>An advance is two writes to mapped memory, or three when it stores the index. Confined to its owner's thread.
 */
public final class StoredPosition implements AutoCloseable {
    private static final String SEQUENCE = ".sequence";
    private static final String INDEX = ".index";
    private static final String CHECK = ".check";
    private static final String SECOND = ".copy";
    private static final String[] COPIES = {"", SECOND};

    /** The number of excerpts after which an advance stores the index. */
    private static final int INDEX_STEP = 16;

    /** The number of excerpts after which both copies get the index at once: fewer than lie between two files. */
    private static final int LEAP = 1 << 16;

    /** The number of readings of a position that its owner may be changing. */
    private static final int ATTEMPTS = 1_000;

    private static final long SALT = 0x9E37_79B9_7F4A_7C15L;

    private final Copy[] copies = new Copy[COPIES.length];
    private long sequence;
    private long index;
    private long lowestIndex; // of the whole copies at the last reading
    private long storedIndex; // of the newest copy
    private boolean differs; // the older copy has, or may have, another index
    private boolean isAdvanced; // the older copy is older
    private int older; // the copy that the next advance writes

    /** The numbers of a queue's metadata. */
    @FunctionalInterface
    public interface Numbers {
        /** Returns a number, which is added with this value if there is none of this name. */
        LongValue acquire(String key, long initial);
    }

    /** A sequence and an index. */
    public record Value(long sequence, long index) {}

    private record Copy(LongValue sequence, LongValue index, LongValue check) {
        void set(long newSequence, long newIndex) {
            sequence.setOrderedValue(newSequence);
            index.setOrderedValue(newIndex);
            check.setOrderedValue(StoredPosition.check(newSequence, newIndex));
        }
    }

    private StoredPosition(Numbers numbers, String key, long initial) {
        for (int i = 0; i < copies.length; i++) {
            copies[i] = new Copy(
                    numbers.acquire(key + SEQUENCE + COPIES[i], initial),
                    numbers.acquire(key + INDEX + COPIES[i], 0),
                    numbers.acquire(key + CHECK + COPIES[i], check(initial, 0)));
        }
    }

    /**
     * Opens a position, or adds it with a sequence and the index 0. It has no value before {@link #read} or {@link #set}.
     */
    public static StoredPosition open(Numbers numbers, String key, long initial) {
        return new StoredPosition(numbers, key, initial);
    }

    /** Returns the names of the positions among the keys of the metadata: those of which a copy has all of its numbers. */
    public static List<String> names(Collection<String> keys, String prefix) {
        List<String> names = new ArrayList<>();
        for (String copy : COPIES) {
            for (String key : keys) {
                if (key.startsWith(prefix) && key.endsWith(SEQUENCE + copy)) {
                    String name = key.substring(0, key.length() - SEQUENCE.length() - copy.length());
                    if (!names.contains(name)
                            && keys.contains(name + INDEX + copy)
                            && keys.contains(name + CHECK + copy)) {
                        names.add(name);
                    }
                }
            }
        }
        return names;
    }

    /**
     * Returns a position among the numbers of the metadata; null for none.
     *
     * @throws FileDefect when no copy of it is whole
     */
    static Value in(Map<String, Long> numbers, String key) throws FileDefect {
        boolean isKnown = false;
        Value newest = null;
        for (String copy : COPIES) {
            Long sequence = numbers.get(key + SEQUENCE + copy);
            Long index = numbers.get(key + INDEX + copy);
            Long check = numbers.get(key + CHECK + copy);
            boolean isWhole = sequence != null && index != null && check != null && check == check(sequence, index);
            if (isWhole && (newest == null || sequence > newest.sequence)) {
                newest = new Value(sequence, index);
            }
            isKnown |= sequence != null;
        }
        if (newest == null && isKnown) {
            throw new FileDefect(damaged(key));
        }
        return newest;
    }

    /** Returns the description of a position of which no copy is whole. */
    public static String damaged(String key) {
        return "has a damaged position '" + key + "': neither copy agrees with its check";
    }

    private static long check(long sequence, long index) {
        long mixed = (sequence ^ SALT) * SALT;
        mixed = (mixed ^ mixed >>> 32 ^ index) * SALT;
        return mixed ^ mixed >>> 32;
    }

    /**
     * Reads the stored position; returns false, without a new value, when no copy of it is whole. A position that is only
     * advanced is never lower than at an earlier reading: the reading begins anew if the first copy has changed by the time that
     * the second one is found torn, because the owner has advanced both meanwhile.
     */
    public boolean read() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int newest = -1;
            long newestSequence = 0;
            long newestIndex = 0;
            long lowest = Long.MAX_VALUE;
            boolean isOutdated = false;
            for (int i = 0; i < copies.length; i++) {
                Copy copy = copies[i];
                long sequenceOfCopy = copy.sequence.getVolatileValue();
                long indexOfCopy = copy.index.getVolatileValue();
                if (copy.check.getVolatileValue() != check(sequenceOfCopy, indexOfCopy)) {
                    isOutdated = newest >= 0 && copies[newest].sequence.getVolatileValue() != newestSequence;
                    continue;
                }
                lowest = Math.min(lowest, indexOfCopy);
                if (newest < 0 || sequenceOfCopy > newestSequence) {
                    newest = i;
                    newestSequence = sequenceOfCopy;
                    newestIndex = indexOfCopy;
                }
            }
            if (newest >= 0 && !isOutdated) {
                sequence = newestSequence;
                index = newestIndex;
                older = 1 - newest;
                lowestIndex = lowest;
                storedIndex = newestIndex;
                differs = true;
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    /** Stores a position in both copies, which repairs a damaged one. Called by its owner. */
    public void set(long newSequence, long newIndex) {
        copies[older].set(newSequence, newIndex);
        copies[1 - older].set(newSequence, newIndex);
        sequence = newSequence;
        index = newIndex;
        storedIndex = newIndex;
        differs = false;
        isAdvanced = false;
    }

    /**
     * Stores a higher sequence than the last one in the older copy, and now and then the index, which {@link #settle}
     * stores at the end. Called by its owner after {@link #read} or {@link #set}.
     *
     * <p>The next advance stores the same index in the other copy; an advance into another file stores both copies at once,
     * so that none needs the file before. The index of either copy therefore never decreases, which matters as a writer may
     * have freed everything before the {@link #lowestIndex} that it has read.
     *
     * @param newIndex of the excerpt that follows or of an earlier one, not lower than at the last advance
     * @param isIndexDue whether to store it although fewer than {@value #INDEX_STEP} excerpts lie before it
     */
    public void advance(long newSequence, long newIndex, boolean isIndexDue) {
        boolean isDue = isIndexDue || newIndex - storedIndex >= INDEX_STEP;
        if (isDue && (differs || newIndex - storedIndex >= LEAP)) {
            set(newSequence, newIndex);
            return;
        }
        Copy copy = copies[older];
        copy.sequence.setOrderedValue(newSequence);
        if (differs) {
            copy.index.setOrderedValue(storedIndex);
            differs = false;
        } else if (isDue) {
            copy.index.setOrderedValue(newIndex);
            differs = newIndex != storedIndex;
            storedIndex = newIndex;
        }
        copy.check.setOrderedValue(check(newSequence, storedIndex));
        sequence = newSequence;
        index = newIndex;
        older = 1 - older;
        isAdvanced = true;
    }

    /** Stores the last sequence and index in both copies, if an advance has not. */
    public void settle() {
        if (isAdvanced) {
            set(sequence, index);
        }
    }

    /** Returns the sequence that was read, set or advanced to last. */
    public long sequence() {
        return sequence;
    }

    /** Returns the index that was read, set or advanced to last. */
    public long index() {
        return index;
    }

    /**
     * Returns the lower index of the whole copies at the last {@link #read}. Nothing before it is needed, whichever copy is
     * damaged later.
     */
    public long lowestIndex() {
        return lowestIndex;
    }

    @Override
    public void close() {
        for (Copy copy : copies) {
            copy.sequence.close();
            copy.index.close();
            copy.check.close();
        }
    }
}
