package dev.baton.spi;

/**
 * A {@link PartitionGroup} does not take a member, or not any more: to join again would end the same way, or throw out another
 * process of the same name. The text says what to change.
 */
public class MembershipException extends TransportException {
    private static final long serialVersionUID = 1L;

    /**
     * Describes why the group does not take the member.
     *
     * @param message with what to change
     * @param cause what the library reported; null for none
     */
    public MembershipException(String message, Throwable cause) {
        super(message, cause);
    }
}
