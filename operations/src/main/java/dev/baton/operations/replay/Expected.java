package dev.baton.operations.replay;

/** What the outputs of a replayed service are compared with. Confined to the replay's thread. */
interface Expected extends AutoCloseable {
    /** The first input that was replayed; called before the first comparison. */
    void firstInput(long sequence);

    /** Compares a batch, and empties it. */
    void compare(StagedOutputs batch);

    /**
     * No more will be sent: what is expected besides is missing.
     *
     * @param lastInput that was replayed
     */
    void finish(long lastInput);

    /** Whether there is nothing more to be compared: there was a difference, or the recording has ended. */
    boolean isOver();

    /** Whether there was a difference. */
    boolean isDifferent();

    /** What was expected where they differ; null: nothing. */
    FrameCopy expected();

    /** What the replay sent there; null: nothing. */
    FrameCopy replayed();

    /** Outputs that were the same. */
    long compared();

    @Override
    void close();
}
