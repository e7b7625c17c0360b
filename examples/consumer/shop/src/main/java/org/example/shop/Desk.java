package org.example.shop;

import dev.baton.Chain;
import dev.baton.codec.RoutingService;
import dev.baton.codec.TypedService;

/** Types: orders and cancellations come through one inlet, and leave as orders. */
public final class Desk {
    private Desk() {}

    /** Two services: by type, and by value. */
    public static Chain chain() {
        return Chain.named("desk")
                .then(
                        "accept",
                        RoutingService.byType()
                                .on(Order.CODEC, (order, out) -> out.send(order, Order.CODEC))
                                .on(Cancel.CODEC, (cancel, out) -> out.send(new Order(cancel.id(), 0), Order.CODEC))
                                .otherwise((in, out) -> out.forward(in)))
                .then(
                        "limit",
                        TypedService.mapping(
                                Order.CODEC,
                                Order.CODEC,
                                order -> order.quantity() > 100 ? null : order))
                .build();
    }
}
