package org.example.shop;

import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.ValueCodec;

/** An order of a customer. */
public record Order(long id, int quantity) {
    /** Type of the messages. */
    public static final int TYPE = 1;

    /** Twelve bytes. */
    public static final ValueCodec<Order> CODEC = new ValueCodec<>() {
        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public int maxLength(Order order) {
            return Long.BYTES + Integer.BYTES;
        }

        @Override
        public int encode(Order order, Claim into) {
            into.putLong(0, order.id()).putInt(Long.BYTES, order.quantity());
            return Long.BYTES + Integer.BYTES;
        }

        @Override
        public Order decode(Message from) {
            return new Order(from.getLong(0), from.getInt(Long.BYTES));
        }
    };
}
