package dev.baton.opentelemetry;

import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.ValueCodec;

/** Payloads as they are, of one type. Thread-safe. */
record Bytes(int type) implements ValueCodec<byte[]> {
    static Bytes ofType(int type) {
        return new Bytes(type);
    }

    @Override
    public int maxLength(byte[] value) {
        return value.length;
    }

    @Override
    public int encode(byte[] value, Claim into) {
        into.putBytes(0, value, 0, value.length);
        return value.length;
    }

    @Override
    public byte[] decode(Message from) {
        byte[] value = new byte[from.length()];
        from.getBytes(0, value, 0, value.length);
        return value;
    }
}
