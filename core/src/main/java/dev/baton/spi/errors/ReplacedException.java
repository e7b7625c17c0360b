package dev.baton.spi.errors;

/**
 * Reports that a newer writer of the topic, or a newer reader of the consumer, has replaced this one. Frames that were
 * stored before the newer one opened are kept. Every reader drops the frames that this one stored later; the text contains
 * their number.
 *
 * <p>Opening again would replace the newer one in turn. Two processes that start at the same moment may replace each other
 * at different topics, and then both would end. So code that restarts chains should let one topic decide, the same in all
 * processes. A process that is replaced there should end, or wait for a command to continue. A process that is replaced
 * elsewhere opens everything again, after a pause of random length.
 */
public class ReplacedException extends TransportException {
    private static final long serialVersionUID = 1L;

    /** The topic whose writer, or whose consumer's reader, was replaced. */
    private final String topic;

    /**
     * Describes a replacement that the transport found itself.
     *
     * @param topic whose writer, or whose consumer's reader, was replaced
     * @param message text that names the new writer or reader
     */
    public ReplacedException(String topic, String message) {
        this(topic, message, null);
    }

    /**
     * Describes a replacement that a library reported.
     *
     * @param topic whose writer, or whose consumer's reader, was replaced
     * @param message text that names the new writer or reader
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
