package dev.baton.examples.orders;

import dev.baton.Claim;
import dev.baton.Codec;
import dev.baton.Message;
import java.nio.charset.StandardCharsets;

/** An order on its way through the {@link OrderPipeline}: one object, reused for every message. */
public final class Order {
    private static final int SYMBOL_BYTES = 8;

    public long id;
    public final byte[] symbol = new byte[SYMBOL_BYTES]; // ASCII, padded with blanks
    public int quantity;
    public long limitCents;
    public int currency; // set by enrich: an ISO 4217 number
    public long priceCents; // set by price
    public long exposureCents; // set by risk

    public Order symbol(String text) {
        for (int i = 0; i < SYMBOL_BYTES; i++) {
            symbol[i] = (byte) (i < text.length() ? text.charAt(i) : ' ');
        }
        return this;
    }

    public String symbol() {
        return new String(symbol, StandardCharsets.US_ASCII).trim();
    }

    void copyTo(Order other) {
        other.id = id;
        System.arraycopy(symbol, 0, other.symbol, 0, SYMBOL_BYTES);
        other.quantity = quantity;
        other.limitCents = limitCents;
        other.currency = currency;
        other.priceCents = priceCents;
        other.exposureCents = exposureCents;
    }

    /** Fixed offsets, 48 bytes. */
    public enum Wire implements Codec<Order> {
        INSTANCE;

        private static final int ID = 0;
        private static final int SYMBOL = 8;
        private static final int QUANTITY = 16;
        private static final int CURRENCY = 20;
        private static final int LIMIT = 24;
        private static final int PRICE = 32;
        private static final int EXPOSURE = 40;
        static final int LENGTH = 48;

        @Override
        public Order newInstance() {
            return new Order();
        }

        @Override
        public int maxLength(Order value) {
            return LENGTH;
        }

        @Override
        public int encode(Order order, Claim into) {
            into.putLong(ID, order.id)
                    .putBytes(SYMBOL, order.symbol, 0, SYMBOL_BYTES)
                    .putInt(QUANTITY, order.quantity)
                    .putInt(CURRENCY, order.currency)
                    .putLong(LIMIT, order.limitCents)
                    .putLong(PRICE, order.priceCents)
                    .putLong(EXPOSURE, order.exposureCents);
            return LENGTH;
        }

        @Override
        public void decode(Message from, Order into) {
            into.id = from.getLong(ID);
            from.getBytes(SYMBOL, into.symbol, 0, SYMBOL_BYTES);
            into.quantity = from.getInt(QUANTITY);
            into.currency = from.getInt(CURRENCY);
            into.limitCents = from.getLong(LIMIT);
            into.priceCents = from.getLong(PRICE);
            into.exposureCents = from.getLong(EXPOSURE);
        }
    }
}
