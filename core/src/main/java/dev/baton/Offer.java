package dev.baton;

/** The result of offering a message to a {@link SharedInlet}. */
public enum Offer {
    /** The message was taken and will be sent, unless the chain fails before. */
    ACCEPTED,
    /** The message was not taken, because too many messages wait: try again later. */
    FULL,
    /** The message was not taken, because the chain is closing or closed: do not try again. */
    CLOSED
}
