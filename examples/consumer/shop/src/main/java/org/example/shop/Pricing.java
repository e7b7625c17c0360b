package org.example.shop;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.codec.TypedService;
import java.io.IOException;
import java.time.Duration;

/** Errors: orders are priced by a catalogue that may be down, and those without a price become dead letters. */
public final class Pricing {
    /** Looks prices up in the catalogue. */
    public interface Catalogue {
        /** The price of one piece. */
        long cents(Order order) throws IOException;
    }

    private Pricing() {}

    /** Orders of different customers, which are their keys, may overtake each other while the catalogue does not answer. */
    public static Chain perCustomer(Catalogue catalogue) {
        return Chain.named("pricing")
                .then(
                        "price",
                        () -> (in, out) -> {
                            Order order = Order.CODEC.decode(in);
                            out.send(new Order(order.id(), (int) catalogue.cents(order)), Order.CODEC);
                        },
                        ErrorPolicy.retry(5)
                                .backoff(Duration.ofMillis(200), Duration.ofSeconds(5))
                                .perKey()
                                .thenDeadLetter())
                .build();
    }

    /** One service with its own error policy. */
    public static Chain chain(Catalogue catalogue) {
        ErrorPolicy errors = ErrorPolicy.stop()
                .on(IllegalArgumentException.class, ErrorPolicy.deadLetter())
                .on(
                        IOException.class,
                        ErrorPolicy.retry(2).after(Duration.ofSeconds(1)).thenDeadLetter());
        return Chain.named("pricing")
                .then(
                        "price",
                        TypedService.of(Order.CODEC, Bill.CODEC, (order, bill) -> {
                            if (order.quantity() <= 0) {
                                throw new IllegalArgumentException("quantity " + order.quantity());
                            }
                            bill.order = order.id();
                            bill.cents = order.quantity() * catalogue.cents(order);
                            return true;
                        }),
                        errors)
                .build();
    }
}
