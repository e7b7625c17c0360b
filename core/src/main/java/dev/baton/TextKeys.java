package dev.baton;

import java.nio.charset.StandardCharsets;

/** Strings in UTF-8, as keys of keyed state. Stateless. */
final class TextKeys implements ValueCodec<String> {
    static final TextKeys CODEC = new TextKeys();

    @Override
    public int maxLength(String value) {
        return value.length() * 3; // UTF-8 of any char
    }

    @Override
    public int encode(String value, Claim into) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        into.putBytes(0, bytes, 0, bytes.length);
        return bytes.length;
    }

    @Override
    public String decode(Message from) {
        byte[] bytes = new byte[from.length()];
        from.getBytes(0, bytes, 0, bytes.length);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
