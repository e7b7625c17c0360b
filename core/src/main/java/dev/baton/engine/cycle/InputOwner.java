package dev.baton.engine.cycle;

import dev.baton.engine.recovery.ProcessedInputs;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicWriter;

/**
 * The owner of the acknowledgement of a duty cycle's inputs: it decides when consumed inputs are released, for example
 * because a snapshot contains them. Without an owner, {@link #NONE}, an input is acknowledged when its outputs are stored.
 *
 * <p>A part that owns inputs between its turns, such as a part with state, has a duty cycle and calls it. Confined to the
 * loop of the duty cycle.
 */
public interface InputOwner {
    /** No owner: each input is acknowledged when its outputs are stored. */
    InputOwner NONE = new InputOwner() {};

    /** An owner that takes inputs and completes them in turns of its own, which precede the poll. */
    interface Later extends InputOwner {
        /**
         * Completes inputs, as far as there is room for their outputs, which are flushed afterwards.
         *
         * @return number of inputs that were completed; the caller then acknowledges what is not held
         */
        int turn(TopicWriter writer, int maxOutputs, BatchTime time);

        /** Returns whether the next input has to wait, such as for a dead letter: letters are written one at a time. */
        boolean isTurn();

        /** Returns the time of the next redelivery; {@link Long#MAX_VALUE} for never. */
        long dueAt();
    }

    /** Returns the number of inputs that the next poll may take; 0 or less for none. Called before each poll. */
    default int room() {
        return Integer.MAX_VALUE;
    }

    /** Returns whether the first input, and the first one of another writer, may be taken now; otherwise it is polled again. */
    default boolean mayTake() {
        return true;
    }

    /** Returns whether the service may tick and close now. */
    default boolean maySend() {
        return true;
    }

    /**
     * Returns the number of consumed inputs that are still to be handled. Until there is none, the last call of the service
     * is not made, and the inputs of another writer are not taken.
     */
    default int unfinished() {
        return 0;
    }

    /**
     * Checks the writer of the following inputs. Called before the first of them is handled or dropped.
     *
     * @param sequence sequence of the first of them
     * @param author incarnation that wrote it; null if it is not known
     * @throws dev.baton.spi.errors.TopicMismatchException if it is another topic than the one that was handled before
     */
    default void checkAuthor(ProcessedInputs answered, long sequence, Incarnation author) {
        answered.check(sequence, author);
    }

    /**
     * Records that an input is consumed; returns whether this has to be called for the next one as well. It is called for the
     * first input after the start, and after a gap in the sequences.
     */
    default boolean consumed(long sequence, long position) {
        return false;
    }
}
