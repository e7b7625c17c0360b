package dev.baton.kafka.connectors;

import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.ValueCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Records as payloads, little endian: partition (4), offset (8), timestamp (8), number of headers (4), key, value, and of each
 * header its name in UTF-8 and its value. Each byte sequence has its length before it (4), -1 for null. Stateless.
 */
final class KafkaRecordCodec implements ValueCodec<KafkaRecord> {
    private static final int OFFSET = 4;
    private static final int TIMESTAMP = 12;
    private static final int HEADERS = 20;
    private static final int FIRST = 24;
    private static final int LEAST_HEADER = 2 * Integer.BYTES;

    @Override
    public int type() {
        return KafkaRecord.TYPE;
    }

    @Override
    public int maxLength(KafkaRecord value) {
        int length = Math.addExact(FIRST, Math.addExact(bytes(value.key()), bytes(value.value())));
        for (KafkaRecord.Header header : value.headers()) {
            int name =
                    Math.multiplyExact(3, header.name().length()) + Integer.BYTES; // the longest that UTF-8 makes of it
            length = Math.addExact(length, Math.addExact(name, bytes(header.value())));
        }
        return length;
    }

    private static int bytes(byte[] part) {
        return Math.addExact(Integer.BYTES, part == null ? 0 : part.length);
    }

    @Override
    public int encode(KafkaRecord value, Claim into) {
        into.putInt(0, value.partition())
                .putLong(OFFSET, value.offset())
                .putLong(TIMESTAMP, value.timestamp())
                .putInt(HEADERS, value.headers().size());
        int at = put(into, FIRST, value.key());
        at = put(into, at, value.value());
        for (KafkaRecord.Header header : value.headers()) {
            at = put(into, at, header.name().getBytes(StandardCharsets.UTF_8));
            at = put(into, at, header.value());
        }
        return at;
    }

    private static int put(Claim into, int at, byte[] part) {
        if (part == null) {
            into.putInt(at, -1);
            return at + Integer.BYTES;
        }
        into.putInt(at, part.length).putBytes(at + Integer.BYTES, part, 0, part.length);
        return at + Integer.BYTES + part.length;
    }

    @Override
    public KafkaRecord decode(Message from) {
        Reading reading = new Reading(from);
        int count = from.getInt(HEADERS);
        byte[] key = reading.next();
        byte[] value = reading.next();
        if (count < 0 || count > (from.length() - reading.at) / LEAST_HEADER) {
            throw new IllegalArgumentException(
                    "a record with " + count + " headers in a payload of " + from.length() + " bytes");
        }
        List<KafkaRecord.Header> headers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            byte[] name = reading.next();
            if (name == null) {
                throw new IllegalArgumentException("header " + i + " of a record has no name");
            }
            headers.add(new KafkaRecord.Header(new String(name, StandardCharsets.UTF_8), reading.next()));
        }
        if (reading.at != from.length()) {
            throw new IllegalArgumentException(
                    "a record of " + reading.at + " bytes in a payload of " + from.length() + " bytes");
        }
        return new KafkaRecord(from.getInt(0), from.getLong(OFFSET), from.getLong(TIMESTAMP), key, value, headers);
    }

    /** A position within a payload. */
    private static final class Reading {
        private final Message from;
        private int at = FIRST;

        Reading(Message from) {
            this.from = from;
        }

        byte[] next() {
            int length = from.getInt(at);
            at += Integer.BYTES;
            if (length == -1) {
                return null;
            }
            if (length < 0 || length > from.length() - at) {
                throw new IllegalArgumentException("a part of " + length + " bytes at " + at + " in a payload of "
                        + from.length() + " bytes: not a Kafka record");
            }
            byte[] part = new byte[length];
            from.getBytes(at, part, 0, length);
            at += length;
            return part;
        }
    }
}
