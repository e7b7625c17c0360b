package dev.baton.examples;

import dev.baton.Chain;
import dev.baton.Inlet.Batch;
import dev.baton.MessageFields;
import dev.baton.RunningChain;
import dev.baton.Sender.TypedSender;
import dev.baton.codec.RoutingService;
import dev.baton.examples.EvolvingOrders.Cancel;
import dev.baton.examples.EvolvingOrders.FirstOrder;
import dev.baton.examples.EvolvingOrders.Order;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Payloads that evolve on durable topics: a second release reads the messages of the first one, and the first one reads those of the second
 * one. Also shows records as values, a service with a body for each type, keys, a batch, and threads with names.
 *
 * <p>Runs over {@code chronicle} (default) or {@code kafka}, which keep messages when their sender has ended.
 */
public final class Example06EvolvingOrders {
    private static final int ORDERS = 3; // of each release
    private static final long PATIENCE_SECONDS = 30;

    private Example06EvolvingOrders() {}

    /** The service of the second release. */
    static Chain chain() {
        return Chain.named("orders")
                .then(
                        "book",
                        RoutingService.byType()
                                .on(Order.CODEC, (order, out) -> {
                                    System.out.println("book " + order);
                                    out.send(order, Order.CODEC, order.key());
                                })
                                .on(Cancel.CODEC, (cancel, out) -> System.out.println("undo " + cancel)))
                .build();
    }

    /** Runs the example. */
    public static void main(String[] args) throws Exception {
        String[] arguments = args.length == 0 ? new String[] {"chronicle"} : args;
        Chain orders = chain();

        try (ExampleTransport opened = ExampleTransport.of(arguments);
                Transport transport = opened.transport();
                Loops loops = Loops.cooperative(1).threads(body -> new Thread(body, "orders-loop"))) {
            // The first release sends and ends; no service runs yet, so that its orders stay in the topic.
            try (RunningChain first = orders.on(transport).with(loops).only().start();
                    Batch batch = first.inlet().batch()) {
                TypedSender<FirstOrder> sender = batch.typed(FirstOrder.CODEC);
                for (int id = 1; id <= ORDERS; id++) {
                    sender.send(new FirstOrder(id, 10 * id));
                }
            }
            // The second release has the service, and sends orders with a currency and a cancellation.
            try (RunningChain second =
                    orders.on(transport).with(loops).only("book").start()) {
                TypedSender<Order> sender = second.inlet().typed(Order.CODEC);
                MessageFields fields = new MessageFields();
                for (int id = ORDERS + 1; id <= 2 * ORDERS; id++) {
                    Order order = new Order(id, 10 * id, 756);
                    sender.send(order, fields.key(order.key()));
                }
                second.inlet().send(new Cancel(1), Cancel.CODEC);
            }
            // A process of the first release reads what the second one has booked.
            CountDownLatch left = new CountDownLatch(2 * ORDERS);
            try (RunningChain reader = orders.on(transport)
                    .with(loops)
                    .only()
                    .onOutput(FirstOrder.CODEC, (order, in) -> {
                        System.out.println("read " + order + " with key " + text(in.key()) + " on "
                                + Thread.currentThread().getName());
                        left.countDown();
                    })
                    .start()) {
                if (!left.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    throw new TimeoutException(left.getCount() + " orders did not arrive: " + reader.failure());
                }
            }
            System.out.println(2 * ORDERS + " orders of two releases over " + transport.name());
        }
    }

    private static String text(ByteBuffer key) {
        return StandardCharsets.UTF_8.decode(key).toString();
    }
}
