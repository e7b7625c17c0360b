package dev.baton.chronicle.format;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The fields of a document in Chronicle's binary wire format, as far as its own headers use it: names, numbers, short
 * texts, nested fields, arrays of longs. Anything else is a defect. Every length is compared with the bytes that are
 * left before it is used, so damage costs no more than the document is long.
 *
 * <p>Immutable, thread-safe.
 */
final class WireFields {
    private static final int NESTED = 0x82;
    private static final int ARRAY = 0x8D;
    private static final int PADDING_LONG = 0x8E;
    private static final int PADDING = 0x8F;
    private static final int UINT8 = 0xA1;
    private static final int INT8 = 0xA4;
    private static final int UINT16 = 0xA2;
    private static final int INT16 = 0xA5;
    private static final int UINT32 = 0xA3;
    private static final int INT32 = 0xA6;
    private static final int INT64 = 0xA7;
    private static final int TYPE = 0xB6;
    private static final int EVENT = 0xB9;
    private static final int NAME = 0xC0;
    private static final int TEXT = 0xE0;
    private static final int MOST_DEPTH = 8;

    private final ByteBuffer bytes;
    private final Map<String, Long> numbers = new HashMap<>();
    private final Map<String, Integer> places = new HashMap<>(); // of numbers of eight bytes
    private final Map<String, Integer> arrays = new HashMap<>();
    private final Map<String, String> texts = new HashMap<>();
    private String first;
    private int at;

    private WireFields(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    /** Reads all fields of a document's content, nested ones like the others; of several with one name the last. */
    static WireFields of(ByteBuffer bytes, int length) throws FileDefect {
        WireFields fields = new WireFields(bytes);
        fields.read(length, 0);
        return fields;
    }

    /** Returns the name of the outermost field. */
    String first() {
        return first == null ? "" : first;
    }

    long number(String name) throws FileDefect {
        Long value = numbers.get(name);
        if (value == null) {
            throw new FileDefect("it has no number '" + name + "'");
        }
        return value;
    }

    /** Returns where a number of eight bytes is, in bytes from the content's start. */
    int place(String name) throws FileDefect {
        Integer place = places.get(name);
        if (place == null) {
            throw new FileDefect("its number '" + name + "' does not have eight bytes");
        }
        return place;
    }

    /** Returns where an array of longs has its first element, in bytes from the content's start. */
    int array(String name, int leastLength) throws FileDefect {
        Integer start = arrays.get(name);
        if (start == null || bytes.getLong(start - 2 * Long.BYTES) < leastLength) {
            throw new FileDefect("it has no array '" + name + "' of " + leastLength);
        }
        return start;
    }

    /** Returns the number of elements that an array has room for. */
    long capacity(String name) throws FileDefect {
        return bytes.getLong(array(name, 0) - 2 * Long.BYTES);
    }

    /** Returns a text, or the name of a type. */
    String text(String name) throws FileDefect {
        String value = texts.get(name);
        if (value == null) {
            throw new FileDefect("it has no text '" + name + "'");
        }
        return value;
    }

    private void read(int end, int depth) throws FileDefect {
        if (depth > MOST_DEPTH) {
            throw new FileDefect("its fields are nested too deeply");
        }
        String name = "";
        while (at < end) {
            int code = take(1, end) & 0xFF;
            if (code == PADDING) {
                continue;
            } else if (code == PADDING_LONG) {
                skip(takeInt(end), end);
            } else if (code == EVENT) {
                name = textOf(takeLength(end), end);
                first = first == null ? name : first;
            } else if (code >= NAME && code < TEXT) {
                name = textOf(code - NAME, end);
            } else if (code == TYPE) {
                texts.put(name, textOf(takeLength(end), end));
            } else if (code >= TEXT) {
                texts.put(name, textOf(code - TEXT, end));
            } else if (code == NESTED) {
                int length = takeInt(end);
                if (length < 0 || length > end - at) {
                    throw new FileDefect("a field of " + length + " bytes is longer than what it lies in");
                }
                read(at + length, depth + 1);
            } else if (code == ARRAY) {
                takeArray(name, end);
            } else {
                if (code == INT64) {
                    places.put(name, at);
                }
                numbers.put(name, number(code, end));
            }
        }
    }

    private void takeArray(String name, int end) throws FileDefect {
        long capacity = takeLong(end);
        long used = takeLong(end);
        if (capacity < 0 || capacity > (end - at) / Long.BYTES || used < 0 || used > capacity) {
            throw new FileDefect(
                    "array '" + name + "' has " + used + " of " + capacity + " elements, in " + (end - at) + " bytes");
        }
        arrays.put(name, at);
        skip((int) capacity * Long.BYTES, end);
    }

    private long number(int code, int end) throws FileDefect {
        return switch (code) {
            case UINT8 -> take(1, end) & 0xFF;
            case INT8 -> take(1, end);
            case UINT16 -> takeShort(end) & 0xFFFF;
            case INT16 -> takeShort(end);
            case UINT32 -> takeInt(end) & 0xFFFF_FFFFL;
            case INT32 -> takeInt(end);
            case INT64 -> takeLong(end);
            default -> throw new FileDefect("byte 0x" + Integer.toHexString(code) + " begins no value of a header");
        };
    }

    private String textOf(int length, int end) throws FileDefect {
        int from = at;
        skip(length, end);
        byte[] text = new byte[length];
        bytes.get(from, text);
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    /** Reads the length of a text: seven bits in each byte, the lowest first, of which all but the last have the eighth bit set. */
    private int takeLength(int end) throws FileDefect {
        int length = 0;
        int bits = 0;
        byte next;
        do {
            next = take(1, end);
            length |= (next & 0x7F) << bits;
            bits += 7;
        } while (next < 0 && bits < Integer.SIZE);
        return length;
    }

    private byte take(int length, int end) throws FileDefect {
        skip(length, end);
        return bytes.get(at - length);
    }

    private short takeShort(int end) throws FileDefect {
        skip(Short.BYTES, end);
        return bytes.getShort(at - Short.BYTES);
    }

    private int takeInt(int end) throws FileDefect {
        skip(Integer.BYTES, end);
        return bytes.getInt(at - Integer.BYTES);
    }

    private long takeLong(int end) throws FileDefect {
        skip(Long.BYTES, end);
        return bytes.getLong(at - Long.BYTES);
    }

    private void skip(int length, int end) throws FileDefect {
        if (length < 0 || length > end - at) {
            throw new FileDefect("its fields continue behind its end");
        }
        at += length;
    }
}
