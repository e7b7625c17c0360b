package dev.baton.lab.study.chaos;

import dev.baton.Merge;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import java.util.BitSet;

/**
 * An edge from one topic to another, and which messages have to be found behind it. Immutable, thread-safe as long as
 * nobody changes the numbers.
 *
 * @param from the topic that is read
 * @param numbers of the messages in it that have to pass; no others may
 * @param input its index among the inputs of the merge that writes the other topic; {@link #BRANCH}: no merge does
 * @param inputs of that merge
 */
record Passage(String from, BitSet numbers, int input, int inputs) {
    private static final int BRANCH = -1;

    /** To a topic with one input. */
    static Passage ofBranch(String from, BitSet numbers) {
        return new Passage(from, numbers, BRANCH, 0);
    }

    /** To the topic of a merge. */
    static Passage ofMerge(Merge merge, String from, BitSet numbers) {
        return new Passage(
                from, numbers, merge.inputs().indexOf(from), merge.inputs().size());
    }

    /** Whether the frame says which input it is of, where a merge has written it, and nothing of the kind elsewhere. */
    boolean isKnown(Frame frame) {
        int found = inputOf(frame);
        return input == BRANCH ? found == BRANCH : found >= 0 && found < inputs;
    }

    /** Whether the frame came this way. */
    boolean brought(Frame frame) {
        return inputOf(frame) == input;
    }

    private static int inputOf(Frame frame) {
        int at = frame.field(Extension.MERGED);
        if (at == Extension.NONE || frame.fieldLength(at) == 0) {
            return BRANCH;
        }
        byte[] index = new byte[1];
        frame.getFieldBytes(at, index, 0, 1);
        return index[0] & 0xFF;
    }

    /** How many of them are behind this one. */
    long behind(long number) {
        return numbers.get((int) number + 1, Math.max((int) number + 1, numbers.length()))
                .cardinality();
    }
}
