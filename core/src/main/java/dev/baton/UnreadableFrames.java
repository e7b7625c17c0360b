package dev.baton;

import dev.baton.deadletters.DeadLetter;
import dev.baton.status.InputStatus;

/** The treatment of a record that is not a frame, or whose checksum is wrong, in a topic that a chain reads. */
public enum UnreadableFrames {
    /** The chain stops with an error that names the position. The default. */
    STOP,
    /**
     * The record is skipped, counted ({@link InputStatus#skipped}) and logged. If its end is not known, the chain stops
     * nevertheless.
     */
    SKIP,
    /**
     * The chain skips the record, as with {@link #SKIP}, after it has written the record as a dead letter ({@link
     * Chain#deadLetterTopic}), with as many of its bytes as the transport can read and a frame can hold; {@link
     * DeadLetter#attempts} is 0. After a crash there may be two letters. On durable transports only.
     */
    DEAD_LETTER
}
