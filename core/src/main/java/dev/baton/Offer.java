package dev.baton;

/** What became of a message that was offered to a {@link SharedInlet}. */
public enum Offer {
    /** Was taken over and will be sent, unless the chain fails before. */
    ACCEPTED,
    /** Was not taken, as too many wait: try again later. */
    FULL,
    /** Was not taken, as the chain is closing or closed: to try again is of no use. */
    CLOSED
}
