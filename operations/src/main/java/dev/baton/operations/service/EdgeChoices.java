package dev.baton.operations.service;

import dev.baton.ReplacedInput;
import dev.baton.UnreadableFrames;

/**
 * What services do with an input topic that is not as they left it. Immutable, thread-safe.
 *
 * @param replacedInput when it is another topic than the one that their outputs answer
 * @param unreadable when it holds records that are no frames
 */
public record EdgeChoices(ReplacedInput replacedInput, UnreadableFrames unreadable) {
    /** They stop, and somebody decides. */
    public static final EdgeChoices DEFAULT = new EdgeChoices(ReplacedInput.REFUSE, UnreadableFrames.STOP);
}
