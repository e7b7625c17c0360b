package dev.baton.examples;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.Inlet;
import dev.baton.RunningChain;
import dev.baton.examples.orders.Order;
import dev.baton.examples.orders.OrderPipeline;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Five services with work to do: orders are validated, enriched, priced, checked against a risk limit and booked ({@link OrderPipeline}).
 * Invalid orders are rejected to a dead-letter handler; orders beyond the risk limit are dropped. The laboratory measures the same chain:
 * {@code ./baton chain --chain orders}.
 *
 * <p>Arguments as for {@link Example01FiveServiceChain}.
 */
public final class Example02OrderPipeline {
    private static final int ORDERS = 1_000;

    private Example02OrderPipeline() {}

    /** Runs the example. */
    public static void main(String[] args) throws Exception {
        AtomicInteger booked = new AtomicInteger();
        AtomicInteger rejected = new AtomicInteger();
        ErrorPolicy reject = ErrorPolicy.skipTo((service, in, attempts, cause) -> {
            if (rejected.incrementAndGet() <= 3) {
                System.out.println(service + " rejected order " + in.getLong(0) + ": " + cause.getMessage());
            }
        });

        Chain orders = OrderPipeline.chain(reject);
        try (ExampleTransport opened = ExampleTransport.of(args);
                Transport transport = opened.transport();
                Loops loops = Loops.cooperative(1)) {
            // Closing the chain drains its topics: after the block every order has been handled.
            try (RunningChain running = orders.on(transport)
                    .with(loops)
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
}
