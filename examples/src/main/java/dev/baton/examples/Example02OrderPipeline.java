package dev.baton.examples;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.Inlet;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.codec.TypedService;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Five services with work to do: orders are validated, enriched, priced, checked against a risk limit and booked. Orders
 * that cannot be right are rejected to a dead-letter handler; orders beyond the risk limit are dropped.
 *
 * <p>Arguments as for {@link Example01FiveServiceChain}.
 */
public final class Example02OrderPipeline {
    private static final int ORDERS = 1_000;
    private static final int EURO = 978;
    private static final long RISK_LIMIT_CENTS = 5_000_000;

    private Example02OrderPipeline() {}

    /** What validate throws. */
    static final class RejectedOrder extends Exception {
        private static final long serialVersionUID = 1L;

        RejectedOrder(String reason) {
            super(reason);
        }
    }

    /** The five services. */
    static Chain chain() {
        return Chain.named("orders")
                .then("validate", step(Example02OrderPipeline::validate))
                .then("enrich", step(Example02OrderPipeline::enrich))
                .then("price", step(Example02OrderPipeline::price))
                .then("risk", step(Example02OrderPipeline::risk))
                .then("book", step((in, out) -> true))
                .build();
    }

    /** Runs the example. */
    public static void main(String[] args) throws Exception {
        AtomicInteger booked = new AtomicInteger();
        AtomicInteger rejected = new AtomicInteger();
        Chain orders = chain();
        ErrorPolicy reject = ErrorPolicy.skipTo((service, in, cause) -> {
            if (rejected.incrementAndGet() <= 3) {
                System.out.println(service + " rejected order " + in.getLong(0) + ": " + cause.getMessage());
            }
        });

        try (ExampleTransport opened = ExampleTransport.of(args);
                Transport transport = opened.transport();
                Loops loops = Loops.cooperative(1)) {
            // Closing the chain passes on what is in its topics: after the block every order has been dealt with.
            try (RunningChain running = orders.on(transport)
                    .with(loops)
                    .onError(reject)
                    .onOutput(in -> booked.incrementAndGet())
                    .start()) {
                sendOrders(running.inlet());
            }
            System.out.printf(
                    "%,d orders over %s: %,d booked, %,d rejected, %,d beyond the risk limit%n",
                    ORDERS, transport.name(), booked.get(), rejected.get(), ORDERS - booked.get() - rejected.get());
        }
    }

    private static void sendOrders(Inlet inlet) {
        Order order = new Order();
        for (int i = 0; i < ORDERS; i++) {
            order.id = i;
            order.symbol(i % 10 == 0 ? "" : "BTN");
            order.quantity = i % 25 == 7 ? -1 : i;
            order.limitCents = 10_000;
            inlet.send(order, Order.Wire.INSTANCE);
        }
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
