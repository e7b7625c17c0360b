package dev.baton.deadletters;

import dev.baton.Chain;
import dev.baton.engine.letters.LetterFormat;
import dev.baton.engine.letters.LetterReading;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import java.util.function.Consumer;

/**
 * A message that a service has finally failed to handle, as stored in the dead-letter topic. {@link #payload} returns a
 * copy. Immutable, thread-safe.
 *
 * <p>A letter is two frames with the same cause: one of type {@value #DESCRIPTION} and origin 0 that describes the failure,
 * then the message itself with its type and payload unchanged. {@code docs/frame.md} defines the layout. If retention has
 * removed only the first one, its content is not known: {@link #isDescribed} is false.
 *
 * @param topic topic from which the service read the message
 * @param service service that failed to handle it; empty if it is not known
 * @param sequence sequence of the message in that topic; a crash may leave two letters with the same sequence; 0 for a
 *     record that could not be read
 * @param attempts number of deliveries, 1 or more; 0 for a record that could not be read; {@link #UNKNOWN} if it is not
 *     known
 * @param exception class of the last exception; empty if it is not known
 * @param text text of that exception, empty if it has none or is not known; truncated if it is longer than a frame allows
 * @param type type of the message
 * @param payload payload of the message; for a record that could not be read, the bytes that could be read
 */
public record DeadLetter(
        String topic,
        String service,
        long sequence,
        int attempts,
        String exception,
        String text,
        int type,
        byte[] payload) {
    /** Type of the frame that describes a failure. */
    public static final int DESCRIPTION = 0x444c; // "DL"

    /** The value of {@link #attempts} if it is not known. */
    public static final int UNKNOWN = -1;

    private static final int READ_AT_ONCE = 256;

    /**
     * Reads a dead-letter topic from its oldest letter to the newest stored one. The chain may run meanwhile. Nothing is
     * consumed: the letters remain. A description without its message, which a crash may leave, is skipped. May block.
     *
     * @param transport transport with the topic
     * @param topic {@link Chain#deadLetterTopic}, or a partition's
     * @param letters receives each letter, on the calling thread, the oldest first
     * @return number of letters read
     * @throws dev.baton.spi.errors.TransportException when the topic does not exist or cannot be read
     * @throws IllegalArgumentException when the topic holds something else
     */
    public static long readAll(Transport transport, String topic, Consumer<? super DeadLetter> letters) {
        try (TopicInspector inspector = transport.inspect(topic)) {
            LetterReading reading = new LetterReading(topic, (letter, message) -> {
                letters.accept(letter);
                return FrameHandler.Verdict.DONE;
            });
            while (inspector.read(reading, READ_AT_ONCE) > 0) {
                // continues with the next frame
            }
            return reading.count();
        }
    }

    /**
     * {@return the name of the input topic whose dead letters a topic holds, derived from the topic's name; null if it is not a
     * dead-letter topic}
     *
     * @param topic any topic's name, with a partition's number or without
     */
    public static String inputOf(String topic) {
        return LetterFormat.inputOf(topic);
    }

    /** {@return whether it is known what failed; false if retention has removed the description from the topic} */
    public boolean isDescribed() {
        return !service.isEmpty();
    }
}
