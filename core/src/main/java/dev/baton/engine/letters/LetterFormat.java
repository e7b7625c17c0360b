package dev.baton.engine.letters;

import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.deadletters.DeadLetter;
import dev.baton.engine.plan.ChainNames;
import dev.baton.spi.PartitionTopic;
import java.nio.charset.StandardCharsets;

/**
 * The layout of the frame that describes a dead letter, as defined in {@code docs/frame.md}, and the name of its topic.
 * Stateless.
 */
public final class LetterFormat {
    /** The minimum payload length of a transport for dead letters: texts are truncated to fit, numbers are not. */
    public static final int LEAST_PAYLOAD = 64;

    static final int VERSION = 1;

    /**
     * The origin time of a description, which distinguishes it from a message. The letter of a message that itself has this
     * origin is written again after a restart.
     */
    public static final long DESCRIPTION_ORIGIN = 0;

    private static final int AT_ATTEMPTS = 4;
    private static final int AT_SEQUENCE = 8;
    private static final int AT_TEXTS = 16;
    private static final int TEXTS = 4;

    private LetterFormat() {}

    /** Returns the name of the input topic of a dead-letter topic: {@link DeadLetter#inputOf}. */
    public static String inputOf(String topic) {
        String base = PartitionTopic.base(topic);
        return base.endsWith(ChainNames.DEAD_LETTERS)
                ? ChainNames.topicOf(base.substring(0, base.length() - ChainNames.DEAD_LETTERS.length()))
                        + topic.substring(base.length())
                : null;
    }

    /** Writes the description of a failure to a claim. Returns its length. */
    public static int describe(
            Claim claim, String topic, String service, long sequence, int attempts, Throwable thrown) {
        claim.putInt(0, VERSION).putInt(AT_ATTEMPTS, attempts).putLong(AT_SEQUENCE, sequence);
        int at = AT_TEXTS;
        at = putText(claim, at, topic, 3);
        at = putText(claim, at, service, 2);
        at = putText(claim, at, thrown.getClass().getName(), 1);
        return putText(claim, at, thrown.getMessage() == null ? "" : thrown.getMessage(), 0);
    }

    /**
     * Writes the length of a text and as many of its bytes as fit if each following text gets an equal share. Returns the
     * end.
     */
    private static int putText(Claim claim, int at, String text, int following) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int left = claim.maxLength() - at - Short.BYTES * (following + 1);
        int length = Math.min(Math.min(bytes.length, Short.MAX_VALUE), left / (following + 1));
        while (length < bytes.length && length > 0 && (bytes[length] & 0xc0) == 0x80) {
            length--; // not inside a multi-byte character
        }
        claim.putShort(at, (short) length).putBytes(at + Short.BYTES, bytes, 0, length);
        return at + Short.BYTES + length;
    }

    /** Reads a description; returns null if the message is not a description. The letter has no payload yet. */
    static DeadLetter described(Message in) {
        if (in.type() != DeadLetter.DESCRIPTION || in.length() < AT_TEXTS || in.getInt(0) != VERSION) {
            return null;
        }
        String[] texts = new String[TEXTS];
        int at = AT_TEXTS;
        for (int i = 0; i < texts.length; i++) {
            int length = at + Short.BYTES <= in.length() ? in.getShort(at) : -1;
            if (length < 0 || length > in.length() - at - Short.BYTES) {
                return null;
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
}
