package dev.baton.examples.orders;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.Service;
import dev.baton.codec.TypedService;
import java.util.function.Supplier;

/**
 * Five services with work to do: orders are validated, enriched, priced, checked against a risk limit and booked. Invalid orders are
 * rejected; orders beyond the risk limit are dropped. Stateless.
 */
public final class OrderPipeline {
    static final int EURO = 978;
    static final long RISK_LIMIT_CENTS = 5_000_000;

    private OrderPipeline() {}

    /**
     * The chain.
     *
     * @param rejected policy for an order that {@code validate} rejects with a {@link RejectedOrder}
     */
    public static Chain chain(ErrorPolicy rejected) {
        return Chain.named("orders")
                .then("validate", step(OrderPipeline::validate), rejected)
                .then("enrich", step(OrderPipeline::enrich))
                .then("price", step(OrderPipeline::price))
                .then("risk", step(OrderPipeline::risk))
                .then("book", step((in, out) -> true))
                .build();
    }

    private static Supplier<Service> step(TypedService.Body<Order, Order> body) {
        return TypedService.of(Order.Wire.INSTANCE, Order.Wire.INSTANCE, (in, out) -> {
            in.copyTo(out);
            return body.apply(in, out);
        });
    }

    private static boolean validate(Order in, Order out) throws RejectedOrder {
        if (in.symbol[0] == ' ') {
            throw new RejectedOrder("no symbol");
        }
        if (in.quantity <= 0) {
            throw new RejectedOrder("quantity " + in.quantity);
        }
        return true;
    }

    private static boolean enrich(Order in, Order out) {
        out.currency = EURO;
        return true;
    }

    private static boolean price(Order in, Order out) {
        out.priceCents = Math.min(in.limitCents, 9_900 + in.id % 200);
        return true;
    }

    private static boolean risk(Order in, Order out) {
        out.exposureCents = in.priceCents * in.quantity;
        return out.exposureCents <= RISK_LIMIT_CENTS;
    }
}
