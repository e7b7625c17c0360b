package org.example.shop;

import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.ValueCodec;

/** A cancellation of an order. */
public record Cancel(long id) {
    /** Eight bytes of another type. */
    public static final ValueCodec<Cancel> CODEC = new ValueCodec<>() {
        @Override
        public int type() {
            return 2;
        }

        @Override
        public int maxLength(Cancel cancel) {
            return Long.BYTES;
        }

        @Override
        public int encode(Cancel cancel, Claim into) {
            into.putLong(0, cancel.id());
            return Long.BYTES;
        }

        @Override
        public Cancel decode(Message from) {
            return new Cancel(from.getLong(0));
        }
    };
}
