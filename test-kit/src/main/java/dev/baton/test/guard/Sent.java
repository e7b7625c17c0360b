package dev.baton.test.guard;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * The content of a message that a service has sent, without its place and time. Immutable as long as nobody changes the buffers.
 *
 * @param type of the message
 * @param key null for none
 * @param payload compared by content
 */
public record Sent(int type, ByteBuffer key, ByteBuffer payload) {
    private static final int MAX_SHOWN = 64;
    private static final long MAX_NUMBER = 1_000_000_000_000L;

    /** Returns a copy of the remaining bytes of a view; null for null. */
    public static ByteBuffer copy(ByteBuffer view) {
        return view == null
                ? null
                : ByteBuffer.allocate(view.remaining()).put(0, view, view.position(), view.remaining());
    }

    @Override
    public String toString() {
        return text(type, key, payload);
    }

    /** {@return a description of a message's content, of long payloads the beginning} */
    public static String text(int type, ByteBuffer key, ByteBuffer payload) {
        return (type == 0 ? "" : "type " + type + ", ") + (key == null ? "" : "key " + hex(key) + ", ") + hex(payload);
    }

    private static String hex(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        StringBuilder text = new StringBuilder();
        boolean isText = copy.length > 0;
        for (int i = 0; i < Math.min(MAX_SHOWN, copy.length); i++) {
            text.append(String.format(Locale.ROOT, "%s%02x", i > 0 && i % Long.BYTES == 0 ? " " : "", copy[i]));
            isText &= copy[i] >= ' ' && copy[i] <= '~';
        }
        String shown = isText
                ? '"'
                        + new String(Arrays.copyOf(copy, Math.min(MAX_SHOWN, copy.length)), StandardCharsets.US_ASCII)
                        + '"'
                : "[" + text + "]";
        return copy.length + " bytes " + shown + (copy.length > MAX_SHOWN ? "..." : "") + (isText ? "" : number(copy));
    }

    /** Returns the number that the bytes may represent, or an empty text. */
    private static String number(byte[] bytes) {
        if (bytes.length != Long.BYTES) {
            return "";
        }
        long number = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
        return Math.abs(number) < MAX_NUMBER ? " (" + number + ")" : "";
    }
}
