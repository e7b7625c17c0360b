package dev.baton.aeron;

/**
 * Fragments that a reader has consumed and not acknowledged wholly, or that a writer has written and the Archive has not recorded,
 * in order: the sequence of their last frame, and the log position behind them. At most as many as are not acknowledged, or
 * as half a term holds. Confined to the thread of the reader or writer.
 */
final class PassedFragments {
    /** No log position. */
    static final long NONE = -1;

    private long[] sequences = new long[16]; // a power of two
    private long[] ends = new long[16];
    private int first;
    private int count;

    void add(long lastSequence, long end) {
        if (count == ends.length) {
            grow();
        }
        int index = first + count & ends.length - 1;
        sequences[index] = lastSequence;
        ends[index] = end;
        count++;
    }

    /** Removes those whose frames all lie at or before a sequence, and returns the position behind them or {@link #NONE}. */
    long removeTo(long sequence) {
        long end = NONE;
        while (count > 0 && sequences[first] <= sequence) {
            end = ends[first];
            first = first + 1 & ends.length - 1;
            count--;
        }
        return end;
    }

    /** Removes those that end at or before a log position, and returns the last sequence in them or {@link #NONE}. */
    long removeUpTo(long position) {
        long sequence = NONE;
        while (count > 0 && ends[first] <= position) {
            sequence = sequences[first];
            first = first + 1 & ends.length - 1;
            count--;
        }
        return sequence;
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
