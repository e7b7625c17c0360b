package dev.baton;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** The codecs that {@link ValueCodec} offers. */
final class ReadyCodecs {
    private static final char REPLACEMENT = '\uFFFD'; // for what is not UTF-8

    private ReadyCodecs() {}

    /** Numbers in 8 bytes. Stateless. */
    record Longs(int type) implements ValueCodec<Long> {
        @Override
        public int maxLength(Long value) {
            return Long.BYTES;
        }

        @Override
        public int encode(Long value, Claim into) {
            into.putLong(0, value);
            return Long.BYTES;
        }

        @Override
        public Long decode(Message from) {
            return from.getLong(0);
        }
    }

    /** Strings in UTF-8. Stateless. */
    record Strings(int type) implements ValueCodec<String> {
        @Override
        public int maxLength(String value) {
            int bytes = value.length();
            for (int i = 0; i < value.length(); i++) {
                char unit = value.charAt(i);
                if (unit >= 0x80) {
                    bytes += unit < 0x800 || Character.isSurrogate(unit) ? 1 : 2;
                }
            }
            return bytes;
        }

        @Override
        public int encode(String value, Claim into) {
            requireWhole(value);
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            into.putBytes(0, bytes, 0, bytes.length);
            return bytes.length;
        }

        /** Refuses a string that {@link String#getBytes} would change, so that two keys could get the same bytes. */
        private static void requireWhole(String value) {
            for (int i = 0; i < value.length(); i++) {
                if (Character.isSurrogate(value.charAt(i))) {
                    if (!Character.isSupplementaryCodePoint(value.codePointAt(i))) {
                        throw new IllegalArgumentException("the string has an unpaired surrogate at index " + i
                                + ", which UTF-8 cannot represent");
                    }
                    i++;
                }
            }
        }

        @Override
        public String decode(Message from) {
            byte[] bytes = new byte[from.length()];
            from.getBytes(0, bytes, 0, bytes.length);
            String value = new String(bytes, StandardCharsets.UTF_8);
            if (value.indexOf(REPLACEMENT) >= 0) {
                requireUtf8(bytes);
            }
            return value;
        }

        private static void requireUtf8(byte[] bytes) {
            try {
                StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            } catch (CharacterCodingException e) {
                throw new IllegalArgumentException("the payload is not UTF-8: " + e.getMessage(), e);
            }
        }
    }
}
