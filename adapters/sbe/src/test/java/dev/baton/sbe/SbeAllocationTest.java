package dev.baton.sbe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.baton.Chain;
import dev.baton.Decoder;
import dev.baton.Inlet;
import dev.baton.RunningChain;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.run.Loops;
import dev.baton.sbe.orders.BookingDecoder;
import dev.baton.sbe.orders.OrderEncoder;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Messages are written by a sender and a service, and read by a service and a sink, and nothing is allocated once warm. */
class SbeAllocationTest {
    private static final int WARM_UP = 60_000;
    private static final int ROUND = 1_000;
    private static final int ROUNDS = 30;
    private static final byte[] SYMBOL = {'A', 'C', 'M', 'E'};

    private long cents;

    @Test
    void messagesAllocateNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        assumeTrue(threads.isThreadAllocatedMemorySupported() && threads.isThreadAllocatedMemoryEnabled());
        Decoder<BookingDecoder> bookings = SbeTest.BOOKING.checkedDecoder();
        try (DisruptorTransport transport = DisruptorTransport.create();
                Loops loops = Loops.manual();
                RunningChain running = Chain.named("c")
                        .then("book", SbeTest.Book::new)
                        .build()
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> cents += bookings.decode(in).cents())
                        .start()) {
            Inlet inlet = running.inlet();
            SbeWriter<OrderEncoder> orders = SbeWriter.of(new OrderEncoder(), 100);
            carry(orders, inlet, loops, WARM_UP);
            long least = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                carry(orders, inlet, loops, ROUND);
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }

            assertThat(cents).isEqualTo(75L * (WARM_UP + ROUND * ROUNDS));
            assertThat(least)
                    .as("bytes allocated for %d messages in the best of %d rounds", ROUND, ROUNDS)
                    .isLessThanOrEqualTo(8);
        }
    }

    private static void carry(SbeWriter<OrderEncoder> orders, Inlet inlet, Loops loops, int messages) {
        for (int i = 0; i < messages; i++) {
            OrderEncoder order = orders.tryClaim(inlet).id(i).quantity(3).currency(978);
            OrderEncoder.FillsEncoder fills = order.fillsCount(2);
            fills.next().cents(50).venue(1);
            fills.next().cents(25).venue(2);
            order.putSymbol(SYMBOL, 0, SYMBOL.length);
            orders.commit();
            loops.turn();
        }
    }
}
