package dev.baton.spi.errors;

/**
 * Reports that a newer writer of the topic, or a newer reader of the consumer, has replaced this one. Frames that were
 * stored before the newer one opened are kept. Every reader drops the frames that this one stored later; the text contains
 * their number.
 *
 * <p>Opening again would replace the newer one in turn. Two processes that start at the same moment may replace each other
 * at different topics, and then both would end. So code that restarts chains should let one topic decide, the same in all
 * processes. A process that is replaced there should end, or wait for a command to continue. A process that is replaced
 * elsewhere opens everything again, after a pause of random length. Where a process writes the deciding topic, its writer decides
 * and not a reader, as two processes may open the two in different orders.
 */
public class ReplacedException extends TransportException {
    private static final long serialVersionUID = 1L;

    /** The topic whose writer, or whose consumer's reader, was replaced. */
    private final String topic;

    /** The consumer whose reader was replaced; null if a writer was. */
    private final String consumer;

    /**
     * Describes the replacement of a writer that the transport found itself.
     *
     * @param topic whose writer was replaced
     * @param message text that names the new writer
     */
    public ReplacedException(String topic, String message) {
        this(topic, message, null);
    }

    /**
     * Describes the replacement of a writer that a library reported.
     *
     * @param topic whose writer was replaced
     * @param message text that names the new writer
     * @param cause what the library reported; null for none
     */
    public ReplacedException(String topic, String message, Throwable cause) {
        this(topic, null, message, cause);
    }

    /**
     * Describes the replacement of a consumer's reader, or of a writer.
     *
     * @param topic whose writer, or whose consumer's reader, was replaced
     * @param consumer whose reader was replaced; null if a writer was
     * @param message text that names the new writer or reader
     * @param cause what a library reported; null for none
     */
    public ReplacedException(String topic, String consumer, String message, Throwable cause) {
        super(message, cause);
        this.topic = topic;
        this.consumer = consumer;
    }

    /** {@return the topic whose writer, or whose consumer's reader, was replaced} */
    public String topic() {
        return topic;
    }

    /** {@return the consumer whose reader was replaced; null if a writer was} */
    public String consumer() {
        return consumer;
    }
}
