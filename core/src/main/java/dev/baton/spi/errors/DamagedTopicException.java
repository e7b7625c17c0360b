package dev.baton.spi.errors;

/**
 * Thrown when a topic holds something that is not a frame, or not the frame that was written. The text contains the place
 * and the kind of the damage.
 */
public class DamagedTopicException extends TransportException {
    private static final long serialVersionUID = 1L;

    /** True if no record after the damage can be read. */
    private final boolean isEnd;

    /**
     * Creates an exception.
     *
     * @param message text with the topic and the place in it
     * @param isEnd whether no record after the damage can be read
     */
    public DamagedTopicException(String message, boolean isEnd) {
        super(message);
        this.isEnd = isEnd;
    }

    /**
     * Creates an exception with the cause that the library reported.
     *
     * @param message text with the topic and the place in it
     * @param isEnd whether no record after the damage can be read
     * @param cause exception of the library; null for none
     */
    public DamagedTopicException(String message, boolean isEnd, Throwable cause) {
        super(message, cause);
        this.isEnd = isEnd;
    }

    /** {@return whether no record after the damage can be read} */
    public boolean isEnd() {
        return isEnd;
    }
}
