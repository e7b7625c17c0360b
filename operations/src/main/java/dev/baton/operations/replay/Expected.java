package dev.baton.operations.replay;

/**
 * What the outputs of a replayed service are compared with, up to the first difference. Confined to the replay's thread.
 */
abstract class Expected implements AutoCloseable {
    private Difference difference; // null: none yet
    private long compared;

    /**
     * Takes a batch, and empties it.
     *
     * @param firstInput that was replayed; 0: none yet
     */
    final void take(StagedOutputs batch, long firstInput) {
        if (!isOver()) {
            compare(batch, firstInput);
        }
        batch.clear();
    }

    /** Compares a batch, as {@link #take} has it. */
    abstract void compare(StagedOutputs batch, long firstInput);

    /**
     * No more will be sent: what is expected besides is missing.
     *
     * @param lastInput that was replayed
     */
    abstract void finish(long lastInput);

    /** Counts an output that was the same. */
    final void same() {
        compared++;
    }

    /** Ends the comparison: an output differs, or null is missing on one side. */
    final void differ(FrameCopy expected, FrameCopy replayed) {
        difference = Difference.between(expected, replayed);
    }

    /** Whether there is nothing more to be compared: there was a difference, or the recording has ended. */
    boolean isOver() {
        return difference != null;
    }

    /** Where they differ; null: nowhere. */
    final Difference difference() {
        return difference;
    }

    /** Outputs that were the same. */
    final long compared() {
        return compared;
    }

    @Override
    public abstract void close();
}
