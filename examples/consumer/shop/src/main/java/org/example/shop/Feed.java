package org.example.shop;

import dev.baton.Inlet.Batch;
import dev.baton.Inlet;
import dev.baton.SharedInlet;
import dev.baton.Sender.TypedSender;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Inlets: one thread that sends batches, and threads that are notified when their order is stored. */
public final class Feed {
    private Feed() {}

    /** Sends all orders with one flush. */
    public static void send(Inlet inlet, List<Order> orders) {
        try (Batch batch = inlet.batch()) {
            TypedSender<Order> sender = batch.typed(Order.CODEC);
            orders.forEach(sender::send);
        }
    }

    /** Sends an order from any thread; completes with its sequence when it is stored. */
    public static CompletionStage<Long> store(SharedInlet inlet, Order order) {
        return inlet.offerStored(order, Order.CODEC);
    }
}
