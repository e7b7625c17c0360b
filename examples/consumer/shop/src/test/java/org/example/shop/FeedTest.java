package org.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FeedTest {
    private static final Chain CHAIN =
            Chain.named("feed").then("pass", () -> (in, out) -> out.forward(in)).build();

    private final Queue<Order> arrived = new ConcurrentLinkedQueue<>();

    private RunningChain start(Transport transport, Loops loops) {
        return CHAIN.on(transport).with(loops).onOutput(Order.CODEC, (order, in) -> arrived.add(order)).start();
    }

    @Test
    void aBatchArrivesInOrder() throws Exception {
        List<Order> orders = List.of(new Order(1, 1), new Order(2, 1), new Order(3, 1));
        try (Transport transport = DisruptorTransport.create();
                Loops loops = Loops.cooperative(1);
                RunningChain running = start(transport, loops)) {
            Feed.send(running.inlet(), orders);
            Await.until(() -> arrived.size() == 3);
        }
        assertEquals(orders, List.copyOf(arrived));
    }

    @Test
    void anyThreadLearnsWhenItsOrderIsStored() throws Exception {
        try (Transport transport = DisruptorTransport.create();
                Loops loops = Loops.cooperative(1);
                RunningChain running = start(transport, loops)) {
            var inlet = running.sharedInlet(16);
            assertEquals(1, Feed.store(inlet, new Order(1, 1)).toCompletableFuture().get(20, TimeUnit.SECONDS));
            running.close();
            assertThrows(
                    ExecutionException.class,
                    () -> Feed.store(inlet, new Order(2, 1)).toCompletableFuture().get(20, TimeUnit.SECONDS));
        }
    }
}
