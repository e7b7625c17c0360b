package dev.baton.spi.errors;

import dev.baton.spi.PartitionGroup;

/**
 * Thrown when a {@link PartitionGroup} does not accept a member, or no longer accepts it. Joining again would fail in the
 * same way, or exclude another process of the same name. The text contains the change that is needed.
 */
public class MembershipException extends TransportException {
    private static final long serialVersionUID = 1L;

    /**
     * Describes why the group does not take the member.
     *
     * @param message text with the change that is needed
     * @param cause what the library reported; null for none
     */
    public MembershipException(String message, Throwable cause) {
        super(message, cause);
    }
}
