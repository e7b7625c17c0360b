package dev.baton.spring;

import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.ValueCodec;

/** Numbers of eight bytes. */
enum LongCodec implements ValueCodec<Long> {
    ONLY;

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
