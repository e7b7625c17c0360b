package dev.baton.spi;

/**
 * A member of a {@link LaneGroup} whose place another process of the same name has taken. To join again would throw that
 * one out in turn. Not thread-safe beyond what exceptions are.
 */
public class ReplacedMemberException extends TransportException {
    private static final long serialVersionUID = 1L;

    /** Says which member was replaced. */
    public ReplacedMemberException(String message, Throwable cause) {
        super(message, cause);
    }
}
