package org.example.shop;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import dev.baton.test.MemoryTransport;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class AuditTest {
    private static final Chain CHAIN =
            Chain.named("feed").then("pass", () -> (in, out) -> out.forward(in)).build();

    @Test
    void auditReadsAndIsForgotten() throws Exception {
        readBesideAndForget(DisruptorTransport.create());
    }

    @Test
    void inMemoryAsWell() throws Exception {
        readBesideAndForget(MemoryTransport.create());
    }

    @Test
    void anAuditThatFailsIsOpenedAgain() throws Exception {
        Queue<Order> audited = new ConcurrentLinkedQueue<>();
        try (Transport transport = MemoryTransport.create();
                Loops loops = Loops.cooperative(1);
                RunningChain running = CHAIN.on(transport).with(loops).start();
                RunningChain audit = Audit.supervise(transport, loops, CHAIN.topic(0, 1), (order, in) -> {
                    audited.add(order);
                    if (audited.size() == 1) {
                        throw new IllegalStateException("no disk");
                    }
                })) {
            running.inlet().send(new Order(1, 1), Order.CODEC);
            Await.until(() -> audited.size() == 2);
            assertTrue(audit.restarts() > 0);
        }
    }

    private static void readBesideAndForget(Transport opened) throws Exception {
        Queue<Order> arrived = new ConcurrentLinkedQueue<>();
        Queue<Order> audited = new ConcurrentLinkedQueue<>();
        String topic = CHAIN.topic(0, 1);
        try (Transport transport = opened;
                Loops loops = Loops.cooperative(1);
                RunningChain running = CHAIN.on(transport)
                        .with(loops)
                        .onOutput(Order.CODEC, (order, in) -> arrived.add(order))
                        .start()) {
            try (RunningChain audit = Audit.attach(transport, loops, topic, (order, in) -> audited.add(order))) {
                running.inlet().send(new Order(1, 1), Order.CODEC);
                Await.until(() -> audited.size() == 1 && arrived.size() == 1);
                assertTrue(audit.failure().isEmpty());
            }
            assertTrue(Audit.forget(transport, topic));
            assertFalse(Audit.forget(transport, topic));
        }
    }
}
