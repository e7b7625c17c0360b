package org.example.shop;

import dev.baton.Claim;
import dev.baton.Codec;
import dev.baton.Message;

/** The price of an order: mutable, so that one object is reused for all messages. */
public final class Bill {
    /** Sixteen bytes. */
    public static final Codec<Bill> CODEC = new Codec<>() {
        @Override
        public int type() {
            return 3;
        }

        @Override
        public Bill newInstance() {
            return new Bill();
        }

        @Override
        public int maxLength(Bill bill) {
            return 2 * Long.BYTES;
        }

        @Override
        public int encode(Bill bill, Claim into) {
            into.putLong(0, bill.order).putLong(Long.BYTES, bill.cents);
            return 2 * Long.BYTES;
        }

        @Override
        public void decode(Message from, Bill into) {
            into.order = from.getLong(0);
            into.cents = from.getLong(Long.BYTES);
        }
    };

    /** The order's id. */
    public long order;

    /** The price. */
    public long cents;
}
