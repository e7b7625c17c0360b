package dev.baton.chronicle.format;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import net.openhft.chronicle.core.values.LongValue;

/**
 * A position in a queue's metadata: the newest sequence that is done, and the index of the excerpt that follows or of an
 * earlier one. It is stored twice, each copy with a check of its sequence and index, so that a damaged copy is detected
 * and the other one counts.
 *
 * <p>The one owner writes the first copy and then the second one, so that at each moment one of them is whole, also if
 * its process is killed in between: a position is always the old one or the new one. Other processes read the first copy
 * that is whole. The check is a bijection of either number, which detects every change of one number, and others except
 * for one in 2^64.
 *
 * <p>An update is six writes to mapped memory, or four if the index stays. Confined to its owner's thread.
 */
public final class StoredPosition implements AutoCloseable {
    private static final String SEQUENCE = ".sequence";
    private static final String INDEX = ".index";
    private static final String CHECK = ".check";
    private static final String SECOND = ".copy";
    private static final String[] COPIES = {"", SECOND};

    /** The number of readings of a position that its owner may be changing. */
    private static final int ATTEMPTS = 1_000;

    private static final long SALT = 0x9E37_79B9_7F4A_7C15L;

    private final Copy[] copies = new Copy[COPIES.length];
    private long sequence;
    private long index;

    /** The numbers of a queue's metadata. */
    @FunctionalInterface
    public interface Numbers {
        /** Returns a number, which is added with this value if there is none of this name. */
        LongValue acquire(String key, long initial);
    }

    /** A sequence and an index. */
    public record Value(long sequence, long index) {}

    private record Copy(LongValue sequence, LongValue index, LongValue check) {}

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
        for (String copy : COPIES) {
            Long sequence = numbers.get(key + SEQUENCE + copy);
            Long index = numbers.get(key + INDEX + copy);
            Long check = numbers.get(key + CHECK + copy);
            if (sequence != null && index != null && check != null && check == check(sequence, index)) {
                return new Value(sequence, index);
            }
            isKnown |= sequence != null;
        }
        if (isKnown) {
            throw new FileDefect(damaged(key));
        }
        return null;
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

    /** Reads the stored position; returns false, without a new value, when no copy of it is whole. */
    public boolean read() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            for (Copy copy : copies) {
                long storedSequence = copy.sequence.getVolatileValue();
                long storedIndex = copy.index.getVolatileValue();
                if (copy.check.getVolatileValue() == check(storedSequence, storedIndex)) {
                    sequence = storedSequence;
                    index = storedIndex;
                    return true;
                }
            }
            Thread.onSpinWait();
        }
        return false;
    }

    /** Stores a position. Called by its owner, which repairs a damaged copy with it. */
    public void set(long newSequence, long newIndex) {
        long check = check(newSequence, newIndex);
        for (Copy copy : copies) {
            copy.sequence.setOrderedValue(newSequence);
            copy.index.setOrderedValue(newIndex);
            copy.check.setOrderedValue(check);
        }
        sequence = newSequence;
        index = newIndex;
    }

    /** Stores a sequence, with the index that was read or set last. */
    public void sequence(long newSequence) {
        long check = check(newSequence, index);
        for (Copy copy : copies) {
            copy.sequence.setOrderedValue(newSequence);
            copy.check.setOrderedValue(check);
        }
        sequence = newSequence;
    }

    /** Returns the sequence that was read or set last. */
    public long sequence() {
        return sequence;
    }

    /** Returns the index that was read or set last. */
    public long index() {
        return index;
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
