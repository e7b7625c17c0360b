package dev.baton.spi;

/**
 * A {@link PartitionGroup} does not take a member, or not any more: to join again would end the same way, or throw out another
 * process of the same name. The text says what to change.
 */
public class MembershipException extends TransportException {
    private static final long serialVersionUID = 1L;

    public MembershipException(String message, Throwable cause) {
        super(message, cause);
    }
}
