package dev.baton.test;

/**
 * A call of {@code onMessage} threw and has changed the state, though the service declares that it never does: the message counts
 * twice when it is delivered again, and counts though it becomes a dead letter.
 */
final class HalfDoneStateException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    HalfDoneStateException(String service, long message, Throwable thrown) {
        super(
                "service " + service + " returns true from isFailureAtomic, but its call for message " + message
                        + " threw and has changed its state, so that the message would count twice; change the state last,"
                        + " after claims and all else that may throw: " + thrown,
                thrown);
    }
}
