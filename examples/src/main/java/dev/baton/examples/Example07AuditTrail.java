package dev.baton.examples;

import dev.baton.Chain;
import dev.baton.Inlet;
import dev.baton.Merge;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Chains composed of chains: orders are validated, the good ones are booked by one branch and the bad ones explained by another, both
 * branches are merged into one trail, and a tap audits it. Each of the five could run in a separate process over a transport that crosses
 * processes.
 * <pre>
 * orders: inlet -> validate -+-> booked:   book ----+
 *                            |                      +-> trail -> audit (a tap)
 *                            +-> rejected: explain -+
 * </pre>
 *
 * <p>Arguments as for {@link Example01FiveServiceChain}.
 */
public final class Example07AuditTrail {
    private static final int ORDERS = 1_000;
    private static final int GOOD = 1; // type of a message
    private static final int BAD = 2;
    private static final long PATIENCE_SECONDS = 30;

    private Example07AuditTrail() {}

    /** Runs the example. */
    public static void main(String[] args) throws Exception {
        Chain orders = Chain.named("orders")
                .then("validate", () -> Example07AuditTrail::validate)
                .build();
        Chain booked = Chain.named("booked")
                .from(orders.topic(0, 1), in -> in.type() == GOOD)
                .then("book", () -> Example07AuditTrail::book)
                .build();
        Chain rejected = Chain.named("rejected")
                .from(orders.topic(0, 1), in -> in.type() == BAD)
                .then("explain", () -> (in, out) -> out.forward(in))
                .build();
        Merge trail = Merge.named("trail")
                .from(booked.topic(0, 1))
                .from(rejected.topic(0, 1))
                .build();

        AtomicInteger fromBooked = new AtomicInteger();
        AtomicInteger fromRejected = new AtomicInteger();
        CountDownLatch audited = new CountDownLatch(ORDERS);
        try (ExampleTransport opened = ExampleTransport.of(args);
                Transport transport = opened.transport();
                Loops loops = Loops.cooperative(1);
                RunningChain running = orders.on(transport).with(loops).start();
                RunningChain booking = booked.on(transport).with(loops).start();
                RunningChain explaining = rejected.on(transport).with(loops).start();
                RunningChain merging = trail.on(transport).with(loops).start();
                RunningChain audit = Chain.tap("audit", trail.topic())
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> {
                            boolean isBooked = trail.inputOf(in).equals(booked.topic(0, 1));
                            AtomicInteger count = isBooked ? fromBooked : fromRejected;
                            if (count.incrementAndGet() == 1) {
                                System.out.println("first of " + trail.inputOf(in) + ": order " + in.getLong(0));
                            }
                            audited.countDown();
                        })
                        .start()) {
            send(running.inlet());
            if (!audited.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new TimeoutException(audited.getCount() + " orders did not reach the audit: " + booking.failure()
                        + explaining.failure() + merging.failure() + audit.failure());
            }
            System.out.printf(
                    "%,d orders over %s: the trail has %,d booked and %,d rejected%n",
                    ORDERS, transport.name(), fromBooked.get(), fromRejected.get());
        }
    }

    private static void send(Inlet inlet) {
        byte[] order = new byte[2 * Long.BYTES];
        for (int id = 1; id <= ORDERS; id++) {
            order[0] = (byte) id;
            order[1] = (byte) (id >> Byte.SIZE);
            order[Long.BYTES] = (byte) (id % 8); // quantity
            inlet.send(order);
        }
    }

    private static void validate(Message in, Outlet out) {
        boolean isGood = in.getLong(Long.BYTES) > 0;
        out.claim(in.length()).type(isGood ? GOOD : BAD).putPayload(in).commit(in.length());
    }

    /** Adds the price of the order. */
    private static void book(Message in, Outlet out) {
        out.claim(3 * Long.BYTES)
                .type(GOOD)
                .putLong(0, in.getLong(0))
                .putLong(Long.BYTES, in.getLong(Long.BYTES))
                .putLong(2 * Long.BYTES, 25 * in.getLong(Long.BYTES))
                .commit(3 * Long.BYTES);
    }
}
