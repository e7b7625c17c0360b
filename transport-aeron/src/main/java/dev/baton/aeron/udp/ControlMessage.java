package dev.baton.aeron.udp;

import dev.baton.spi.Incarnation;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.SequenceRanges;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A request of a reader in another process, or the answer to it. Each may be lost or repeated.
 *
 * <pre>
 * little endian
 *  0  kind       4   the ordinal of {@link Kind}
 *  4  flags      4   of a report: 1 frames are missing, 2 an answer is due, and from bit 2 on the number of writers that
 *                     are known; of an answer: the number of writers
 *  8  reader     8   random, not 0
 * 16  identity   8   of the topic; 0 in an open, and where a reader leaves that was not admitted
 * 24  first      8   of an open: the ordinal of the kind of position; of other requests: acknowledged; of an answer: the start
 * 32  second     8   of an open: the sequence; of a report: read; of an answer: the newest sequence
 * 40  stream     4   of an answer to an open
 * 44  session    4
 * 48  topic          length 4 and UTF-8; of a refusal: its text
 *     consumer       length 4 and UTF-8; of an answer: the writers, a line each; of a refusal: its {@link Refusal}
 * </pre>
 *
 * <p>Immutable, thread-safe.
 */
record ControlMessage(
        Kind kind,
        int flags,
        long reader,
        long identity,
        long first,
        long second,
        int stream,
        int session,
        String topic,
        String consumer) {
    /** The kinds of requests and answers, in the order of their numbers. */
    enum Kind {
        OPEN,
        REPORT,
        LEAVE,
        JOINED,
        NEWEST,
        LEFT,
        REFUSED
    }

    /** The reasons of a refusal. */
    enum Refusal {
        ABSENT,
        OCCUPIED,
        REPLACED,
        MISMATCH,
        OTHER;

        /** Returns whether only an open is refused so. */
        boolean isOfOpen() {
            return this == ABSENT || this == OCCUPIED;
        }
    }

    /** The flag of a report that asks the topic to send again what follows the frame read last. */
    static final int MISSING = 1;

    /** The flag of a report that asks for an answer. */
    static final int ANSWER = 2;

    /** The number of flags of a report, behind which the number of known writers follows. */
    static final int FLAGS = 2;

    private static final int TEXTS = 48;
    private static final char SEPARATOR = ' ';
    private static final Kind[] KINDS = Kind.values();

    /** Returns a request. */
    static ControlMessage request(
            Kind kind, int flags, long reader, long identity, long first, long second, Seat seat) {
        return new ControlMessage(kind, flags, reader, identity, first, second, 0, 0, seat.topic(), seat.consumer());
    }

    /** Returns an answer about a topic. */
    static ControlMessage answer(Kind kind, long reader, Seat.Joined joined, String topic, Seat.Writers writers) {
        StringBuilder lines = new StringBuilder();
        writers.ranges()
                .forEach((first, writer) -> lines.append(first)
                        .append(SEPARATOR)
                        .append(writer.text())
                        .append('\n'));
        return new ControlMessage(
                kind,
                writers.count(),
                reader,
                joined.identity(),
                joined.start(),
                joined.newest(),
                joined.stream(),
                joined.session(),
                topic,
                lines.toString());
    }

    /** Returns the refusal of a request. */
    static ControlMessage refusal(long reader, Refusal refusal, String text) {
        return new ControlMessage(Kind.REFUSED, 0, reader, 0, 0, 0, 0, 0, text, refusal.name());
    }

    /** Returns the refusal of a request that failed. */
    static ControlMessage refusal(long reader, TransportException failed) {
        Refusal refusal = failed instanceof OccupiedException
                ? Refusal.OCCUPIED
                : failed instanceof ReplacedException
                        ? Refusal.REPLACED
                        : failed instanceof TopicMismatchException ? Refusal.MISMATCH : Refusal.OTHER;
        return refusal(reader, refusal, failed.getMessage());
    }

    /** Returns whether a report has a flag. */
    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    Refusal refusal() {
        return Refusal.valueOf(consumer);
    }

    /**
     * Returns the failure that a refusal describes.
     *
     * @param of name of the topic
     * @param by name of the consumer whose reader is refused
     */
    TransportException failure(String of, String by) {
        return switch (refusal()) {
            case OCCUPIED -> new OccupiedException(topic);
            case REPLACED -> new ReplacedException(of, by, topic, null);
            case MISMATCH -> new TopicMismatchException(topic);
            case ABSENT, OTHER -> new TransportException(topic);
        };
    }

    Seat.Joined joined() {
        return new Seat.Joined(identity, stream, session, first, second);
    }

    Seat.Writers writers() {
        SequenceRanges.Builder<Incarnation> ranges = new SequenceRanges.Builder<>();
        consumer.lines().forEach(line -> {
            int end = line.indexOf(SEPARATOR);
            ranges.add(Long.parseLong(line, 0, end, 10), Incarnation.parse(line.substring(end + 1)));
        });
        return new Seat.Writers(flags, ranges.build());
    }

    /** Writes the message, and returns its length. */
    int write(MutableDirectBuffer to) {
        to.putInt(0, kind.ordinal(), ByteOrder.LITTLE_ENDIAN);
        to.putInt(4, flags, ByteOrder.LITTLE_ENDIAN);
        to.putLong(8, reader, ByteOrder.LITTLE_ENDIAN);
        to.putLong(16, identity, ByteOrder.LITTLE_ENDIAN);
        to.putLong(24, first, ByteOrder.LITTLE_ENDIAN);
        to.putLong(32, second, ByteOrder.LITTLE_ENDIAN);
        to.putInt(40, stream, ByteOrder.LITTLE_ENDIAN);
        to.putInt(44, session, ByteOrder.LITTLE_ENDIAN);
        int end = TEXTS + to.putStringUtf8(TEXTS, topic, ByteOrder.LITTLE_ENDIAN);
        return end + to.putStringUtf8(end, consumer, ByteOrder.LITTLE_ENDIAN);
    }

    /** Reads a message; null for something else. */
    static ControlMessage read(DirectBuffer from, int offset, int length) {
        int kind = length < TEXTS ? -1 : from.getInt(offset, ByteOrder.LITTLE_ENDIAN);
        if (kind < 0 || kind >= KINDS.length) {
            return null;
        }
        int topic = text(from, offset, TEXTS, length);
        int consumer = topic < 0 ? -1 : text(from, offset, topic, length);
        if (consumer < 0) {
            return null;
        }
        return new ControlMessage(
                KINDS[kind],
                from.getInt(offset + 4, ByteOrder.LITTLE_ENDIAN),
                from.getLong(offset + 8, ByteOrder.LITTLE_ENDIAN),
                from.getLong(offset + 16, ByteOrder.LITTLE_ENDIAN),
                from.getLong(offset + 24, ByteOrder.LITTLE_ENDIAN),
                from.getLong(offset + 32, ByteOrder.LITTLE_ENDIAN),
                from.getInt(offset + 40, ByteOrder.LITTLE_ENDIAN),
                from.getInt(offset + 44, ByteOrder.LITTLE_ENDIAN),
                from.getStringUtf8(offset + TEXTS, ByteOrder.LITTLE_ENDIAN),
                from.getStringUtf8(offset + topic, ByteOrder.LITTLE_ENDIAN));
    }

    /** Returns the offset behind a text, or -1 if it ends behind the message. */
    private static int text(DirectBuffer from, int offset, int at, int length) {
        if (at + Integer.BYTES > length) {
            return -1;
        }
        int bytes = from.getInt(offset + at, ByteOrder.LITTLE_ENDIAN);
        int end = at + Integer.BYTES + bytes;
        return bytes < 0 || end > length || end < 0 ? -1 : end;
    }
}
