package dev.baton;

/** What becomes of a record that is no frame, or whose checksum does not fit, in a topic that a chain reads. */
public enum UnreadableFrames {
    /** The chain stops and names the place. The default. */
    STOP,
    /**
     * The record is stepped over, counted ({@link PartStatus#skipped}) and logged. Where its end is not known the chain
     * stops all the same.
     */
    SKIP
}
