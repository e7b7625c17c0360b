package org.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.test.MemoryTransport;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RedrivingTest {
    @Test
    void aDeadLetterIsListedAndSentAgain() {
        List<Long> bills = new ArrayList<>();
        try (MemoryTransport transport = MemoryTransport.create()) {
            run(transport, Pricing.chain(order -> {
                throw new IllegalArgumentException("no price for " + order.id());
            }), bills, new Order(1, 10));
            Chain repaired = Pricing.chain(order -> 5);
            assertEquals(
                    List.of("price 1 1 java.lang.IllegalArgumentException: no price for 1"),
                    Redriving.list(transport, repaired, "price"));
            assertEquals(1, Redriving.again(transport, repaired, "price"));
            run(transport, repaired, bills);
        }
        assertEquals(List.of(50L), bills);
    }

    private static void run(MemoryTransport transport, Chain chain, List<Long> bills, Order... orders) {
        try (Loops loops = Loops.manual();
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .onOutput(Bill.CODEC, (bill, in) -> bills.add(bill.cents))
                        .start()) {
            for (Order order : orders) {
                running.inlet().send(order, Order.CODEC);
            }
            int work = 1;
            while (work > 0) {
                work = loops.turn();
            }
        }
    }
}
