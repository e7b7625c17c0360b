package dev.baton.test;

import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.ValueCodec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Payloads of one number. */
final class Numbers {
    static final ValueCodec<Long> CODEC = new ValueCodec<>() {
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
    };

    private Numbers() {}

    static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(number)
                .array();
    }

    static void send(Outlet out, long number) {
        out.claim(Long.BYTES).putLong(0, number).commit(Long.BYTES);
    }
}
