package org.example.orders;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.ValueCodec;

/** An order, and its price once it has one: JSON over HTTP, text such as {@code kim,3,75} in messages and records. */
public record Order(String customer, int quantity, long price) {
    static final ValueCodec<Order> CODEC = new ValueCodec<>() {
        public int maxLength(Order order) {
            return order.text().getBytes(UTF_8).length;
        }

        public int encode(Order order, Claim into) {
            into.putBytes(0, order.text().getBytes(UTF_8), 0, maxLength(order));
            return maxLength(order);
        }

        public Order decode(Message from) {
            String[] fields = UTF_8.decode(from.payload()).toString().split(",");
            return new Order(fields[0], Integer.parseInt(fields[1]), Long.parseLong(fields[2]));
        }
    };

    public Order {
        if (quantity < 1) {
            throw new IllegalArgumentException("quantity " + quantity + "; 1 or more is allowed");
        }
    }

    private String text() {
        return customer + "," + quantity + "," + price;
    }
}
