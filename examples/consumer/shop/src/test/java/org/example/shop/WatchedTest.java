package org.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.test.MemoryTransport;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class WatchedTest {
    @Test
    void failedChainIsReopenedAndContinues() throws Exception {
        AtomicBoolean hasFailed = new AtomicBoolean();
        Chain chain = Chain.named("watched")
                .then("once", () -> (in, out) -> {
                    if (hasFailed.compareAndSet(false, true)) {
                        throw new IllegalStateException("once");
                    }
                    out.forward(in);
                })
                .build();
        Watched watched = new Watched();
        try (MemoryTransport transport = MemoryTransport.create();
                Loops loops = Watched.threads();
                RunningChain running = watched.start(chain, transport, loops)) {
            running.inlet().send(new Order(1, 1), Order.CODEC);
            Await.until(() -> watched.events.contains("order 1"));
            assertEquals(1, running.restarts());
        }
        assertEquals(
                List.of(
                        "once on shop",
                        "restart 1: service once failed at message 1 of topic watched-0:"
                                + " java.lang.IllegalStateException: once",
                        "once on shop",
                        "sink on shop",
                        "order 1"),
                List.copyOf(watched.events));
    }
}
