package dev.baton.aeron.log;

/**
 * Fragments that a reader has consumed and not acknowledged wholly, or that a writer has written and the Archive has not
 * recorded, in order: the sequence of their last frame, and the log position behind them.
 *
 * <p>Adding allocates nothing: where more than {@value #MOST} are pending, each two neighbours become one, which is removed when
 * both could be, and later ones are merged to the same size. Confined to the thread of the reader or writer.
 */
public final class PendingFragments {
    /** The value for no log position and no sequence. */
    public static final long NONE = -1;

    /** The most that are kept apart, a power of two. */
    static final int MOST = 512;

    private static final int FEW = MOST / 4;

    private boolean isEmpty = true;
    private long newestSequence;
    private long newestEnd;
    private final long[] sequences = new long[MOST]; // of those before the newest one
    private final long[] ends = new long[MOST];
    private int first;
    private int count;
    private int size = 1; // fragments of one entry
    private int merged; // fragments of the last entry

    public void add(long lastSequence, long end) {
        if (!isEmpty) {
            keepNewest();
        }
        isEmpty = false;
        newestSequence = lastSequence;
        newestEnd = end;
    }

    private void keepNewest() {
        if (count == 0 || merged >= size) {
            if (count == MOST) {
                mergePairs();
            }
            count++;
            merged = 0;
        }
        int last = first + count - 1 & MOST - 1;
        sequences[last] = newestSequence;
        ends[last] = newestEnd;
        merged++;
    }

    /**
     * Removes the fragments whose frames all lie at or before a sequence, and returns the position behind them or {@link #NONE}.
     * Fragments that were merged are removed together.
     */
    long removeTo(long sequence) {
        if (isEmpty || newestSequence <= sequence) {
            return removeAll() ? newestEnd : NONE;
        }
        long end = NONE;
        while (count > 0 && sequences[first] <= sequence) {
            end = ends[first];
            removeFirst();
        }
        return end;
    }

    /** Removes the fragments that end at or before a log position, and returns the last sequence in them or {@link #NONE}. */
    public long removeUpTo(long position) {
        if (isEmpty || newestEnd <= position) {
            return removeAll() ? newestSequence : NONE;
        }
        long sequence = NONE;
        while (count > 0 && ends[first] <= position) {
            sequence = sequences[first];
            removeFirst();
        }
        return sequence;
    }

    /** Removes all fragments and returns whether there were any. */
    private boolean removeAll() {
        boolean were = !isEmpty;
        isEmpty = true;
        count = 0;
        size = 1;
        return were;
    }

    private void mergePairs() {
        count /= 2;
        size *= 2;
        for (int i = 0; i < count; i++) {
            int later = first + 2 * i + 1 & MOST - 1;
            sequences[first + i & MOST - 1] = sequences[later];
            ends[first + i & MOST - 1] = ends[later];
        }
    }

    private void removeFirst() {
        first = first + 1 & MOST - 1;
        count--;
        size = count < FEW ? 1 : size;
    }
}
