package dev.baton.test;

import dev.baton.Outlet;
import dev.baton.ValueCodec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Payloads of one number. */
final class Numbers {
    static final ValueCodec<Long> CODEC = ValueCodec.longs(0);

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
