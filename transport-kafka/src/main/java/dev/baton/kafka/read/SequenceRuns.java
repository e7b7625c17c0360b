package dev.baton.kafka.read;

import dev.baton.spi.TopicReader;

/**
 * The sequences of frames by their offset, for frames consumed and not yet acknowledged.
 *
 * <p>Offsets and sequences rise together, but for offsets that transactions take for their markers: so each run of
 * frames is kept by where it begins. A topic without transactions is one run. The oldest of more than {@value #MOST}
 * are forgotten. Confined to its loop.
 */
final class SequenceRuns {
    static final int MOST = 4096; // a power of two

    private static final int FIRST_CAPACITY = 8;

    private long[] offsets = new long[FIRST_CAPACITY];
    private long[] sequences = new long[FIRST_CAPACITY];
    private int first;
    private int size;
    private long newestOffset = -1;
    private long newestSequence = TopicReader.UNKNOWN;

    /** Adds a frame that was consumed; offsets rise. */
    void consumed(long offset, long sequence) {
        boolean goesOn = size > 0 && offset == newestOffset + 1 && sequence == newestSequence + 1;
        newestOffset = offset;
        newestSequence = sequence;
        if (!goesOn) {
            begin(offset, sequence);
        }
    }

    /**
     * Returns the sequence of the frame at a position, {@link TopicReader#UNKNOWN} for one that was not consumed or is
     * forgotten.
     */
    long sequenceAt(long position) {
        if (position > newestOffset) {
            return TopicReader.UNKNOWN;
        }
        long below = newestSequence;
        for (int i = size - 1; i >= 0; i--) {
            int slot = slot(i);
            if (offsets[slot] <= position) {
                return Math.min(below, sequences[slot] + (position - offsets[slot]));
            }
            below = sequences[slot] - 1;
        }
        return TopicReader.UNKNOWN;
    }

    /** Forgets the sequences before this position. */
    void forgetBefore(long position) {
        while (size > 1 && offsets[slot(1)] <= position) {
            first = slot(1);
            size--;
        }
    }

    private void begin(long offset, long sequence) {
        if (size == offsets.length) {
            if (size == MOST) {
                first = slot(1);
                size--;
            } else {
                grow();
            }
        }
        int slot = slot(size++);
        offsets[slot] = offset;
        sequences[slot] = sequence;
    }

    private void grow() {
        long[] moreOffsets = new long[2 * size];
        long[] moreSequences = new long[2 * size];
        for (int i = 0; i < size; i++) {
            moreOffsets[i] = offsets[slot(i)];
            moreSequences[i] = sequences[slot(i)];
        }
        offsets = moreOffsets;
        sequences = moreSequences;
        first = 0;
    }

    private int slot(int index) {
        return first + index & offsets.length - 1;
    }
}
