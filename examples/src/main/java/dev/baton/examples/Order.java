package dev.baton.examples;

import dev.baton.Claim;
import dev.baton.Codec;
import dev.baton.Message;
import java.nio.charset.StandardCharsets;

/** An order on its way through the pipeline of {@link Example02OrderPipeline}: one object, reused for every message. */
final class Order {
    private static final int SYMBOL_BYTES = 8;

    long id;
    final byte[] symbol = new byte[SYMBOL_BYTES]; // ASCII, padded with blanks
    int quantity;
    long limitCents;
    int currency; // set by enrich: an ISO 4217 number
    long priceCents; // set by price
    long exposureCents; // set by risk

    Order symbol(String text) {
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < SYMBOL_BYTES; i++) {
            symbol[i] = i < ascii.length ? ascii[i] : (byte) ' ';
        }
        return this;
    }

    String symbol() {
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
    enum Wire implements Codec<Order> {
        INSTANCE;

        private static final int ID = 0;
        private static final int SYMBOL = 8;
        private static final int QUANTITY = 16;
        private static final int CURRENCY = 20;
        private static final int LIMIT = 24;
        private static final int PRICE = 32;
        private static final int EXPOSURE = 40;
        private static final int LENGTH = 48;

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
