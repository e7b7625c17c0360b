package dev.baton.aeron.log;

/**
 * Fragments that a reader has consumed and not acknowledged wholly, or that a writer has written and the Archive has not
 * recorded, in order: the sequence of their last frame, and the log position behind them. Its size is limited by the frames not
 * acknowledged, or by half a term. Confined to the thread of the reader or writer.
 */
public final class PendingFragments {
    /** The value for no log position and no sequence. */
    public static final long NONE = -1;

    private boolean isEmpty = true;
    private long newestSequence;
    private long newestEnd;
    private long[] sequences = new long[16]; // of those before the newest one; a power of two
    private long[] ends = new long[16];
    private int first;
    private int count;

    public void add(long lastSequence, long end) {
        if (!isEmpty) {
            keepNewest();
        }
        isEmpty = false;
        newestSequence = lastSequence;
        newestEnd = end;
    }

    private void keepNewest() {
        if (count == ends.length) {
            grow();
        }
        int index = first + count & ends.length - 1;
        sequences[index] = newestSequence;
        ends[index] = newestEnd;
        count++;
    }

    /**
     * Removes the fragments whose frames all lie at or before a sequence, and returns the position behind them or {@link #NONE}.
     */
    long removeTo(long sequence) {
        if (isEmpty || newestSequence <= sequence) {
            return removeAll() ? newestEnd : NONE;
        }
        long end = NONE;
        while (count > 0 && sequences[first] <= sequence) {
            end = ends[first];
            first = first + 1 & ends.length - 1;
            count--;
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
            first = first + 1 & ends.length - 1;
            count--;
        }
        return sequence;
    }

    /** Removes all fragments and returns whether there were any. */
    private boolean removeAll() {
        boolean were = !isEmpty;
        isEmpty = true;
        count = 0;
        return were;
    }

    private void grow() {
        long[] moreSequences = new long[2 * count];
        long[] moreEnds = new long[2 * count];
        for (int i = 0; i < count; i++) {
            moreSequences[i] = sequences[first + i & count - 1];
            moreEnds[i] = ends[first + i & count - 1];
        }
        sequences = moreSequences;
        ends = moreEnds;
        first = 0;
    }
}
