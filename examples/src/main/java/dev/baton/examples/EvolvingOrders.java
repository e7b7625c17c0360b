package dev.baton.examples;

import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.ValueCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The payloads of {@link Example06EvolvingOrders} in two releases of one program, as records. */
final class EvolvingOrders {
    /** Types of messages: the meaning of a number never changes. */
    static final int ORDER = 1;

    static final int CANCEL = 2;

    private EvolvingOrders() {}

    /** An order of the first release. */
    record FirstOrder(long id, int quantity) {
        static final ValueCodec<FirstOrder> CODEC = new FirstOrderCodec();
    }

    /** An order since the second release, which added the currency. */
    record Order(long id, int quantity, int currency) {
        static final int EURO = 978; // the currency of orders of the first release
        static final ValueCodec<Order> CODEC = new OrderCodec();

        ByteBuffer key() {
            return ByteBuffer.wrap(("order-" + id).getBytes(StandardCharsets.UTF_8));
        }
    }

    /** A cancellation, new in the second release: another meaning needs another type. */
    record Cancel(long id) {
        static final ValueCodec<Cancel> CODEC = new CancelCodec();
    }

    private static final class FirstOrderCodec implements ValueCodec<FirstOrder> {
        private static final int LENGTH = Long.BYTES + Integer.BYTES;

        @Override
        public int type() {
            return ORDER;
        }

        @Override
        public int maxLength(FirstOrder order) {
            return LENGTH;
        }

        @Override
        public int encode(FirstOrder order, Claim into) {
            into.putLong(0, order.id).putInt(Long.BYTES, order.quantity);
            return LENGTH;
        }

        @Override
        public FirstOrder decode(Message from) {
            return new FirstOrder(from.getLong(0), from.getInt(Long.BYTES)); // ignores later fields
        }
    }

    private static final class OrderCodec implements ValueCodec<Order> {
        private static final int CURRENCY = FirstOrderCodec.LENGTH;
        private static final int LENGTH = CURRENCY + Integer.BYTES;

        @Override
        public int type() {
            return ORDER;
        }

        @Override
        public int maxLength(Order order) {
            return LENGTH;
        }

        @Override
        public int encode(Order order, Claim into) {
            into.putLong(0, order.id).putInt(Long.BYTES, order.quantity).putInt(CURRENCY, order.currency);
            return LENGTH;
        }

        @Override
        public Order decode(Message from) {
            boolean hasCurrency = from.length() >= LENGTH;
            return new Order(
                    from.getLong(0), from.getInt(Long.BYTES), hasCurrency ? from.getInt(CURRENCY) : Order.EURO);
        }
    }

    private static final class CancelCodec implements ValueCodec<Cancel> {
        @Override
        public int type() {
            return CANCEL;
        }

        @Override
        public int maxLength(Cancel cancel) {
            return Long.BYTES;
        }

        @Override
        public int encode(Cancel cancel, Claim into) {
            into.putLong(0, cancel.id);
            return Long.BYTES;
        }

        @Override
        public Cancel decode(Message from) {
            return new Cancel(from.getLong(0));
        }
    }
}
