package dev.baton;

/** What becomes of a record that is no frame, or whose checksum does not fit, in a topic that a chain reads. */
public enum UnreadableFrames {
    /** The chain stops and names the place. The default. */
    STOP,
    /**
     * The record is stepped over, counted ({@link PartStatus#skipped}) and logged. Where its end is not known the chain
     * stops all the same.
     */
    SKIP,
    /**
     * The same, but the record becomes a dead letter first ({@link Chain#deadLetterTopic}), with as many of its bytes as the
     * transport can tell and a frame takes; {@link DeadLetter#attempts} is 0. It may be there twice after a crash. On
     * durable transports only.
     */
    DEAD_LETTER
}
