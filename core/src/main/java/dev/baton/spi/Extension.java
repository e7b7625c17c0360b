package dev.baton.spi;

import java.nio.ByteBuffer;

/**
 * The fields that a frame may have between its header and its payload.
 *
 * <p>They are stored in one block, little-endian:
 *
 * <pre>
 *  0  bytes   2   of the whole block, padding and these two included: a multiple of 8, 8 to {@value #MAX_BYTES}
 *  2  id      1   of the first field, from 1; 0 ends the fields, and the rest is padding
 *  3  length  1   of the field's value, 0 to {@value #MAX_FIELD_BYTES}
 *  4  value       then id, length and value of the next field
 * </pre>
 *
 * <table>
 * <caption>The fields known</caption>
 * <tr><th>id</th><th>name</th><th>bytes</th><th>value, offsets from its first byte</th></tr>
 * <tr><td>1</td><td>WRITER</td><td>8</td><td>incarnation of the topic's writer</td></tr>
 * <tr><td>2</td><td>INPUT</td><td>16</td><td>0 identity of the input topic, 8 incarnation of its writer</td></tr>
 * <tr><td>3</td><td>KEY</td><td>0 to 255</td><td>bytes</td></tr>
 * <tr><td>4</td><td>WALL_CLOCK</td><td>8</td><td>nanoseconds since 1970-01-01T00:00Z</td></tr>
 * <tr><td>5</td><td>TRACE</td><td>26</td><td>0 version, 1 trace id (16), 17 parent id (8), 25 flags; the ids as bytes in
 * the order of their hexadecimal text</td></tr>
 * <tr><td>6</td><td>MERGED</td><td>1 + 24 n</td><td>0 index of the input that a merged frame comes from, from 0, then for
 * each of n inputs: sequence of its newest message up to this frame, identity of its topic, incarnation of that message's
 * writer</td></tr>
 * <tr><td>7</td><td>REDRIVEN</td><td>24</td><td>0 identity of a dead-letter topic, 8 sequence there of the message that was
 * sent again, 16 twice the sequence of the newest frame before the redriven ones, plus 1 if its flush is whole</td></tr>
 * <tr><td>8</td><td>TICK</td><td>24</td><td>0 time of the tick that sent the frame, in nanoseconds since 1970-01-01T00:00Z, 8 index
 * of the frame among what that tick sent, from 0, 12 frames of its round up to this one, 16 time up to which all was sent that
 * was due before the round, 0 for none</td></tr>
 * <tr><td>9</td><td>REQUEST</td><td>17</td><td>0 id of the asker, 8 number of its request, or the two halves of a client's UUID,
 * 16 kind: 0 a message, 1 a reply without output, 2 the reply of a service that gave up, whose payload is the cause as UTF-8</td></tr>
 * <tr><td>10</td><td>ASIDE</td><td>8 or more</td><td>0 cause of the message that a frame of a topic of retries holds, 8 the
 * incarnation that wrote it, 0 if it is not known, unless the field would be too long, then its field MERGED, if it has one</td></tr>
 * <tr><td>11</td><td>LETTERED</td><td>18 or more</td><td>inputs for which the service of a dead-letter topic had stored letters
 * before this one; {@code docs/frame.md} has the layout</td></tr>
 * </table>
 *
 * <p>Readers skip ids that they do not know. If an id occurs twice, the first field counts. Stateless, thread-safe.
 */
public final class Extension {
    /** Incarnation of the topic's writer, 8 bytes. It increases with each new writer of the topic. */
    public static final int WRITER = 1;

    /** The input to which {@code cause} refers, 16 bytes: identity of the input topic, incarnation of the input's writer. */
    public static final int INPUT = 2;

    /** Key of the message, 0 to {@value #MAX_FIELD_BYTES} bytes. */
    public static final int KEY = 3;

    /** Origin by the wall clock, 8 bytes: nanoseconds since 1970-01-01T00:00Z. */
    public static final int WALL_CLOCK = 4;

    /** W3C trace context, 26 bytes: version, trace id (16), parent id (8), flags. */
    public static final int TRACE = 5;

    /** The progress of a merge in each of its inputs, 1 byte and 24 bytes for each input. */
    public static final int MERGED = 6;

    /**
     * The dead letter from which the message was sent again, 24 bytes: identity of the letters' topic, sequence in it, end of
     * the topic before the redrive.
     */
    public static final int REDRIVEN = 7;

    /** The tick that sent the frame, and the number of frames of its round up to this one, 24 bytes. */
    public static final int TICK = 8;

    /** The request that led to the frame, 17 bytes: id of the asker, number of the request, kind of the frame. */
    public static final int REQUEST = 9;

    /** The cause of a message that is set aside, and its writer, 8 bytes each, and its field {@link #MERGED}, if it has one. */
    public static final int ASIDE = 10;

    /** The inputs for which a service has stored dead letters, 18 bytes or more. */
    public static final int LETTERED = 11;

    /** Length of the value of {@link #WRITER}. */
    public static final int WRITER_BYTES = 8;
    /** Length of the value of {@link #INPUT}. */
    public static final int INPUT_BYTES = 16;
    /** Length of the value of {@link #WALL_CLOCK}. */
    public static final int WALL_CLOCK_BYTES = 8;
    /** Length of the value of {@link #TRACE}. */
    public static final int TRACE_BYTES = 26;
    /** Length of the value of {@link #REDRIVEN}. */
    public static final int REDRIVEN_BYTES = 24;
    /** Length of the value of {@link #TICK}. */
    public static final int TICK_BYTES = 24;
    /** Length of the value of {@link #REQUEST}. */
    public static final int REQUEST_BYTES = 17;

    /** The longest value of a field. */
    public static final int MAX_FIELD_BYTES = 255;

    /** The longest block. */
    public static final int MAX_BYTES = 1024;

    /** The result of a lookup that finds no such field. */
    public static final int NONE = -1;

    static final int ALIGNMENT = 8;
    private static final int MAX_ID = 255;
    private static final int END = 0;
    private static final int FIRST_FIELD = Short.BYTES;
    private static final int FIELD_HEADER = 2;
    private static final int ANY_LENGTH = -1;

    private Extension() {}

    /**
     * {@return the number of bytes of a block with fields of these lengths; 0 without any} An existing block grows by no more
     * than this if they are added to it.
     *
     * @param fieldLengths lengths of the values, 0 to {@value #MAX_FIELD_BYTES} bytes each
     * @throws IllegalArgumentException when a field or the block is too long
     */
    public static int bytes(int... fieldLengths) {
        int used = FIRST_FIELD;
        for (int length : fieldLengths) {
            checkRange("field bytes", length, 0, MAX_FIELD_BYTES);
            used += FIELD_HEADER + length;
        }
        return fieldLengths.length == 0 ? 0 : aligned(used);
    }

    /**
     * {@return the number of bytes of a block with one field of this length} Allocates nothing.
     *
     * @param fieldLength length of the value, 0 to {@value #MAX_FIELD_BYTES} bytes
     * @throws IllegalArgumentException when the field is too long
     */
    public static int bytes(int fieldLength) {
        checkRange("field bytes", fieldLength, 0, MAX_FIELD_BYTES);
        return bytesWith(FIRST_FIELD, fieldLength);
    }

    /** Returns the bytes of a block that ends after a field of this length at offset {@code field}. */
    static int bytesWith(int field, int length) {
        return aligned(field + FIELD_HEADER + length);
    }

    /**
     * {@return a copy of the value of a frame's field; null for none} For a writer's open, not for each frame.
     *
     * @param frame received
     * @param id id of the field, from 1
     */
    public static byte[] copy(Frame frame, int id) {
        int at = frame.field(id);
        if (at == NONE) {
            return null;
        }
        byte[] value = new byte[frame.fieldLength(at)];
        frame.getFieldBytes(at, value, 0, value.length);
        return value;
    }

    /** Throws unless a field with this id and length can be written. */
    static void check(int id, int length) {
        checkRange("field id", id, END + 1, MAX_ID);
        checkRange("field bytes", length, 0, MAX_FIELD_BYTES);
        if (!isLengthOf(id, length)) {
            throw new IllegalArgumentException(wrongLength(id, length));
        }
    }

    /** Returns the offset at which a further field is written in a block of {@code bytes} bytes. */
    static int end(ByteBuffer memory, int block, int bytes) {
        return bytes == 0 ? FIRST_FIELD : Math.min(bytes, seek(memory, block, bytes, END));
    }

    /** Writes the id and the length of a field. Returns the offset of its value in the block. */
    static int begin(ByteBuffer memory, int block, int field, int id, int length) {
        memory.put(block + field, (byte) id);
        memory.put(block + field + 1, (byte) length);
        return field + FIELD_HEADER;
    }

    static int length(ByteBuffer memory, int block) {
        return memory.getShort(block) & 0xFFFF;
    }

    static void length(ByteBuffer memory, int block, int bytes) {
        memory.putShort(block, (short) bytes);
    }

    /**
     * Returns the offset of a field's value in the block, or {@link #NONE}: also when the block is malformed up to there,
     * or the field does not have the length that its id requires. Never reads beyond {@code available} bytes.
     */
    static int find(ByteBuffer memory, int block, int available, int id) {
        if (id == END || available < ALIGNMENT) {
            return NONE;
        }
        int bytes = length(memory, block);
        if (!isLength(bytes, available)) {
            return NONE;
        }
        int field = seek(memory, block, bytes, id);
        if (field + FIELD_HEADER > bytes || unsigned(memory, block + field) != id) {
            return NONE;
        }
        int length = unsigned(memory, block + field + 1);
        int value = field + FIELD_HEADER;
        return length <= bytes - value && isLengthOf(id, length) ? value : NONE;
    }

    /** Returns the defect of a block that cannot be read; null if it is valid. Never reads beyond {@code available} bytes. */
    static String defect(ByteBuffer memory, int block, int available) {
        if (available < ALIGNMENT) {
            return "an extension is said to be there, but " + available + " bytes are too few for one";
        }
        int bytes = length(memory, block);
        if (!isLength(bytes, available)) {
            return "an extension of " + bytes + " bytes; " + ALIGNMENT + " to " + Math.min(available, MAX_BYTES)
                    + " bytes, a multiple of " + ALIGNMENT + ", can be there";
        }
        int field = FIRST_FIELD;
        while (field < bytes) {
            int id = unsigned(memory, block + field);
            if (id == END) {
                return null;
            }
            int length = field + 1 < bytes ? unsigned(memory, block + field + 1) : 0;
            if (length > bytes - field - FIELD_HEADER) {
                return "field " + id + " at byte " + field + " of an extension of " + bytes
                        + " bytes reaches beyond its end";
            }
            if (!isLengthOf(id, length)) {
                return wrongLength(id, length);
            }
            field += FIELD_HEADER + length;
        }
        return null;
    }

    /**
     * Returns the offset of the first field with this id, or of the end of the fields, which in a damaged block may be
     * beyond its end.
     */
    private static int seek(ByteBuffer memory, int block, int bytes, int id) {
        int field = FIRST_FIELD;
        while (field + 1 < bytes) {
            int found = unsigned(memory, block + field);
            if (found == id || found == END) {
                return field;
            }
            field += FIELD_HEADER + unsigned(memory, block + field + 1);
        }
        return field;
    }

    private static boolean isLength(int bytes, int available) {
        return bytes >= ALIGNMENT && bytes <= MAX_BYTES && bytes % ALIGNMENT == 0 && bytes <= available;
    }

    private static boolean isLengthOf(int id, int length) {
        int due = lengthOf(id);
        return due == ANY_LENGTH || due == length;
    }

    private static int lengthOf(int id) {
        return switch (id) {
            case WRITER -> WRITER_BYTES;
            case INPUT -> INPUT_BYTES;
            case WALL_CLOCK -> WALL_CLOCK_BYTES;
            case TRACE -> TRACE_BYTES;
            case REDRIVEN -> REDRIVEN_BYTES;
            case TICK -> TICK_BYTES;
            case REQUEST -> REQUEST_BYTES;
            default -> ANY_LENGTH;
        };
    }

    private static String wrongLength(int id, int length) {
        return "field " + id + " of " + length + " bytes; it has " + lengthOf(id);
    }

    private static int aligned(int used) {
        int bytes = used + ALIGNMENT - 1 & -ALIGNMENT;
        checkRange("extension bytes", bytes, 0, MAX_BYTES);
        return bytes;
    }

    private static int unsigned(ByteBuffer memory, int at) {
        return memory.get(at) & 0xFF;
    }

    private static void checkRange(String what, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(what + " " + value + "; " + min + " to " + max + " are allowed");
        }
    }
}
