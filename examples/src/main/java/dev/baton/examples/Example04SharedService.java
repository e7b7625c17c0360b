package dev.baton.examples;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.Inlet;
import dev.baton.Message;
import dev.baton.RunningChain;
import dev.baton.partitions.Partitions;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * One service in two processes, here two members in one program: each runs some of the partitions, and one leaves while orders are sent.
 * Orders of one account stay in order all the time.
 *
 * <p>Runs over {@code kafka}. Over other transports one member runs all partitions, as these cannot share them between processes.
 */
public final class Example04SharedService {
    private static final int PARTITIONS = 6;
    private static final Partitions ASSIGNMENT = Partitions.of(PARTITIONS);
    private static final int ACCOUNTS = 100;
    private static final int ORDERS = 50; // of each account
    private static final int BYTES = 2 * Long.BYTES;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Example04SharedService() {}

    /** The one service. */
    static Chain chain() {
        return Chain.named("orders")
                .then("price", () -> (in, out) -> out.forward(in))
                .build();
    }

    /** Runs the example. */
    public static void main(String[] args) throws Exception {
        Chain orders = chain();
        Ledger ledger = new Ledger();

        try (ExampleTransport opened = ExampleTransport.of(args);
                Transport transport = opened.transport();
                Loops loops = Loops.cooperative(1);
                Loops loopsOfA = Loops.cooperative(1);
                Loops loopsOfB = Loops.cooperative(1)) {
            if (!transport.sharesPartitions()) {
                System.out.println(
                        transport.name() + " cannot share partitions between processes: all of them run here");
                try (RunningChain all = orders.on(transport)
                        .with(loops)
                        .onOutput(ledger::book)
                        .partitions(PARTITIONS)
                        .start()) {
                    send(all, 1, ORDERS);
                    await("all orders", ledger::isComplete);
                }
            } else {
                // The process that sends and books runs no service: it has an inlet and a sink for every partition.
                try (RunningChain ends = orders.on(transport)
                                .with(loops)
                                .only()
                                .onOutput(ledger::book)
                                .partitions(PARTITIONS)
                                .start();
                        RunningChain a = member("a", orders, transport, loopsOfA)) {
                    RunningChain b = member("b", orders, transport, loopsOfB);
                    await(
                            "a share for each",
                            () -> a.held().size() == PARTITIONS / 2 && b.held().size() == PARTITIONS / 2);
                    System.out.println("a runs partitions " + a.held() + ", b runs partitions " + b.held());
                    send(ends, 1, ORDERS / 2);
                    b.close(); // drains, stores positions, then releases its partitions
                    send(ends, ORDERS / 2 + 1, ORDERS);
                    await("all orders", ledger::isComplete);
                    System.out.println("b has left, a runs partitions " + a.held());
                }
            }
            System.out.printf(
                    "%,d orders of %d accounts booked over %s, %d out of order%n",
                    ledger.booked.get(), ACCOUNTS, transport.name(), ledger.outOfOrder.get());
        }
    }

    /** Starts what a separate process would run: the same chain, the one service, and a member's name. */
    private static RunningChain member(String name, Chain orders, Transport transport, Loops loops) {
        return orders.on(transport)
                .with(loops)
                .only("price")
                .partitions(PARTITIONS)
                .member(name)
                .start();
    }

    private static void send(RunningChain running, long from, long to) {
        for (long number = from; number <= to; number++) {
            for (long account = 0; account < ACCOUNTS; account++) {
                Claim claim = claim(running.inlet(ASSIGNMENT.partitionOf(account)));
                claim.putLong(0, account).putLong(Long.BYTES, number).commit(BYTES);
            }
        }
    }

    private static Claim claim(Inlet inlet) {
        Claim claim = inlet.tryClaim(BYTES);
        while (claim == null) { // no room: the services are behind
            LockSupport.parkNanos(100_000);
            claim = inlet.tryClaim(BYTES);
        }
        return claim;
    }

    private static void await(String what, BooleanSupplier condition) throws TimeoutException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new TimeoutException("waited " + PATIENCE.toSeconds() + " s for " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Books orders and checks that those of an account arrive in order. All partitions' sinks share one loop here. */
    private static final class Ledger {
        final AtomicInteger booked = new AtomicInteger();
        final AtomicInteger outOfOrder = new AtomicInteger();
        private final long[] newest = new long[ACCOUNTS];

        void book(Message in) {
            int account = (int) in.getLong(0);
            long number = in.getLong(Long.BYTES);
            if (number != newest[account] + 1) {
                outOfOrder.incrementAndGet();
            }
            newest[account] = number;
            booked.incrementAndGet();
        }

        boolean isComplete() {
            return booked.get() >= ACCOUNTS * ORDERS;
        }
    }
}
