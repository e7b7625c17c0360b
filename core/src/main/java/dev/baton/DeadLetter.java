package dev.baton;

import dev.baton.spi.DamagedTopicException;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * A message that its service gave up on, as its dead-letter topic keeps it. Immutable, thread-safe; {@link #payload} is a
 * copy of its own.
 *
 * <p>A letter is two frames with the same cause: one of type {@value #DESCRIPTION} and origin 0 that describes the failure, then the
 * message itself with its type and payload unchanged. {@code docs/frame.md} has the layout.
 *
 * @param topic that the service read it from
 * @param service that gave up on it
 * @param sequence of the message in that topic; the same twice after a crash at the wrong moment
 * @param attempts deliveries, 1 or more
 * @param exception class that the last one threw
 * @param text of that exception, empty for none; cut where it is longer than a frame takes
 * @param type of the message
 * @param payload of the message
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

    /** The shortest payload that a transport has to carry: texts are cut, the numbers are not. */
    static final int LEAST_PAYLOAD = 64;

    static final String SUFFIX = ".dead-letters";

    private static final int READ_AT_ONCE = 256;
    private static final int VERSION = 1;
    private static final int AT_ATTEMPTS = 4;
    private static final int AT_SEQUENCE = 8;
    private static final int AT_TEXTS = 16;
    private static final int TEXTS = 4;

    /**
     * Reads a dead-letter topic from its oldest letter to the newest one that is stored, beside a chain that may run.
     * Nothing is consumed: the letters stay. A description without its message, which a crash may leave, is passed over.
     * May block.
     *
     * @param topic {@link Chain#deadLetterTopic}, or a partition's
     * @return letters read
     * @throws dev.baton.spi.TransportException when the topic does not exist or cannot be read
     * @throws IllegalArgumentException when the topic holds something else
     */
    public static long readAll(Transport transport, String topic, Consumer<? super DeadLetter> letters) {
        try (TopicInspector inspector = transport.inspect(topic)) {
            Reading reading = new Reading(topic, letters);
            while (inspector.read(reading, READ_AT_ONCE) > 0) {
                // goes on
            }
            return reading.count;
        }
    }

    /** The input topic whose dead letters a topic holds, by their names; null for any other topic. */
    public static String inputOf(String topic) {
        String base = PartitionTopic.base(topic);
        return base.endsWith(SUFFIX)
                ? base.substring(0, base.length() - SUFFIX.length()) + topic.substring(base.length())
                : null;
    }

    /** Puts the description of a failure into a claim; answers with its length. */
    static int describe(Claim claim, String topic, String service, Message in, int attempts, Throwable thrown) {
        claim.putInt(0, VERSION).putInt(AT_ATTEMPTS, attempts).putLong(AT_SEQUENCE, in.sequence());
        int at = AT_TEXTS;
        at = putText(claim, at, topic, 3);
        at = putText(claim, at, service, 2);
        at = putText(claim, at, thrown.getClass().getName(), 1);
        return putText(claim, at, thrown.getMessage() == null ? "" : thrown.getMessage(), 0);
    }

    /** The length of a text, and as many of its bytes as leave the same for each of those that follow. */
    private static int putText(Claim claim, int at, String text, int following) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int left = claim.maxLength() - at - Short.BYTES * (following + 1);
        int length = Math.min(Math.min(bytes.length, Short.MAX_VALUE), left / (following + 1));
        while (length < bytes.length && length > 0 && (bytes[length] & 0xc0) == 0x80) {
            length--; // not within a character
        }
        claim.putShort(at, (short) length).putBytes(at + Short.BYTES, bytes, 0, length);
        return at + Short.BYTES + length;
    }

    /** Puts the two frames of each letter together. */
    private static final class Reading implements FrameHandler {
        private final String topic;
        private final Consumer<? super DeadLetter> letters;
        private final InboundMessage message;
        private DeadLetter described;
        private long cause;
        private long count;

        Reading(String topic, Consumer<? super DeadLetter> letters) {
            this.topic = topic;
            this.letters = letters;
            this.message = new InboundMessage(topic);
        }

        @Override
        public Verdict onFrame(Frame frame, long position) {
            String defect = frame.validate();
            if (defect != null) {
                throw new DamagedTopicException(
                        "topic '" + topic + "', sequence " + frame.sequence() + ": " + defect, false);
            }
            message.of(frame, frame.head());
            boolean isDescription =
                    message.type() == DESCRIPTION && frame.originNanos() == DeadLetterTopic.DESCRIPTION_ORIGIN;
            if (described != null && message.cause() == cause && !isDescription) {
                letters.accept(described.with(message));
                described = null;
                count++;
            } else {
                described = described(message);
                cause = message.cause();
            }
            return Verdict.DONE;
        }

        private DeadLetter described(Message in) {
            if (in.type() != DESCRIPTION || in.length() < AT_TEXTS || in.getInt(0) != VERSION) {
                throw noLetter(in);
            }
            String[] texts = new String[TEXTS];
            int at = AT_TEXTS;
            for (int i = 0; i < texts.length; i++) {
                int length = at + Short.BYTES <= in.length() ? in.getShort(at) : -1;
                if (length < 0 || length > in.length() - at - Short.BYTES) {
                    throw noLetter(in);
                }
                byte[] bytes = new byte[length];
                in.getBytes(at + Short.BYTES, bytes, 0, length);
                texts[i] = new String(bytes, StandardCharsets.UTF_8);
                at += Short.BYTES + length;
            }
            return new DeadLetter(
                    texts[0],
                    texts[1],
                    in.getLong(AT_SEQUENCE),
                    in.getInt(AT_ATTEMPTS),
                    texts[2],
                    texts[3],
                    0,
                    new byte[0]);
        }

        private IllegalArgumentException noLetter(Message in) {
            return new IllegalArgumentException("topic '" + topic + "', sequence " + in.sequence() + ": type "
                    + in.type() + " of " + in.length() + " bytes is no dead letter of version " + VERSION
                    + "; is it a dead-letter topic?");
        }
    }

    private DeadLetter with(Message in) {
        byte[] bytes = new byte[in.length()];
        in.getBytes(0, bytes, 0, bytes.length);
        return new DeadLetter(topic, service, sequence, attempts, exception, text, in.type(), bytes);
    }
}
