package dev.baton.spi;

/**
 * A newer writer of the topic, or a newer reader of the consumer, has taken the place of this one. What the newer one
 * found stored is kept; what this one stored behind that is dropped by every reader, and the text says how much.
 *
 * <p>To open again would take the place back. Of two processes that start at the same moment each may find itself replaced
 * at another topic; then both would end. So who restarts chains lets one topic decide, the same in all processes: one that
 * is replaced there ends, or waits until it is asked to go on; one that is replaced elsewhere opens everything again,
 * after a pause of random length.
 */
public class ReplacedException extends TransportException {
    private static final long serialVersionUID = 1L;

    /** The topic whose writer, or whose consumer's reader, was replaced. */
    private final String topic;

    /**
     * Describes a replacement that the transport found itself.
     *
     * @param topic whose writer, or whose consumer's reader, was replaced
     * @param message by whom it was replaced
     */
    public ReplacedException(String topic, String message) {
        this(topic, message, null);
    }

    /**
     * Describes a replacement that a library reported.
     *
     * @param topic whose writer, or whose consumer's reader, was replaced
     * @param message by whom it was replaced
     * @param cause what the library reported; null for none
     */
    public ReplacedException(String topic, String message, Throwable cause) {
        super(message, cause);
        this.topic = topic;
    }

    /** {@return the topic whose writer, or whose consumer's reader, was replaced} */
    public String topic() {
        return topic;
    }
}
