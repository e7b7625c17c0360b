package dev.baton.kafka.connectors;

import dev.baton.ValueCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A record of a plain Kafka topic, as the payload of a message: key, headers, timestamp and value, and where it was read. It owns its
 * arrays, which must not be changed. Immutable, thread-safe.
 *
 * @param partition of the topic it was read from, -1 for a record that was not read
 * @param offset there, -1 for a record that was not read
 * @param timestamp in milliseconds since 1970-01-01T00:00Z, {@link #NO_TIMESTAMP} for none
 * @param key null for none
 * @param value null for a tombstone
 * @param headers in order; names may repeat
 */
public record KafkaRecord(int partition, long offset, long timestamp, byte[] key, byte[] value, List<Header> headers) {
    /** Reads and writes records as payloads. */
    public static final ValueCodec<KafkaRecord> CODEC = new KafkaRecordCodec();

    /** Type of the messages whose payload is a record. */
    public static final int TYPE = 0x4b_41_46_52;

    /** The timestamp of a record that has none: the producer sets one. */
    public static final long NO_TIMESTAMP = -1;

    /**
     * A named value of a record.
     *
     * @param name of the header
     * @param value null for none
     */
    public record Header(String name, byte[] value) {
        /**
         * Requires a name.
         *
         * @param name of the header
         * @param value null for none
         */
        public Header {
            Objects.requireNonNull(name, "header name");
        }
    }

    /**
     * Copies the headers.
     *
     * @param partition of the topic it was read from, -1 for a record that was not read
     * @param offset there, -1 for a record that was not read
     * @param timestamp in milliseconds since 1970-01-01T00:00Z, {@link #NO_TIMESTAMP} for none
     * @param key null for none
     * @param value null for a tombstone
     * @param headers in order
     */
    public KafkaRecord {
        headers = List.copyOf(headers);
    }

    /**
     * {@return a record to be written: without headers, and with the timestamp of its writing}
     *
     * @param key null for none
     * @param value null for a tombstone
     */
    public static KafkaRecord of(byte[] key, byte[] value) {
        return new KafkaRecord(-1, -1, NO_TIMESTAMP, key, value, List.of());
    }

    /**
     * {@return the same record with another value: for services that change the value}
     *
     * @param newValue null for a tombstone
     */
    public KafkaRecord withValue(byte[] newValue) {
        return new KafkaRecord(partition, offset, timestamp, key, newValue, headers);
    }

    /**
     * {@return the same record with one more header, after the others}
     *
     * @param name of the header
     * @param headerValue null for none
     */
    public KafkaRecord withHeader(String name, byte[] headerValue) {
        List<Header> more = new java.util.ArrayList<>(headers);
        more.add(new Header(name, headerValue));
        return new KafkaRecord(partition, offset, timestamp, key, value, more);
    }

    /**
     * {@return the value of the last header of this name; empty when there is none, or its value is null}
     *
     * @param name of the header
     */
    public Optional<byte[]> header(String name) {
        for (int i = headers.size() - 1; i >= 0; i--) {
            if (headers.get(i).name().equals(name)) {
                return Optional.ofNullable(headers.get(i).value());
            }
        }
        return Optional.empty();
    }

    /** {@return the value as a text in UTF-8; null for a tombstone} */
    public String text() {
        return value == null ? null : new String(value, StandardCharsets.UTF_8);
    }

    /** Returns its place and its length, as keys and values may be secrets. */
    @Override
    public String toString() {
        return "record at " + partition + "/" + offset + ", key " + (key == null ? "none" : key.length + " bytes")
                + ", value " + (value == null ? "none" : value.length + " bytes") + ", " + headers.size() + " headers";
    }
}
