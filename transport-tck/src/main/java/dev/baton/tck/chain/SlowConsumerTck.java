package dev.baton.tck.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.Inlet;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.spi.Guarantee;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The contract on a stalled sink: the inlet is refused at a bound, and every message arrives once the sink continues. */
public abstract class SlowConsumerTck extends WholeChainTck {
    private static final int SERVICES = 2;
    private static final long PATIENCE_NANOS = 20_000_000_000L;

    /** The time without an accepted message after which none will be: each hop takes microseconds. */
    private static final long STILL_NANOS = 500_000_000;

    private static final long NAP_NANOS = 100_000;

    /** The number of messages sent if only storage is the limit. */
    private static final int MANY = 20_000;

    /** The frames in the ring of an inlet whose loop has the writer, as over all transports that are not {@link Guarantee#IMMEDIATE}. */
    private static final int INLET_FRAMES = 1024;

    private final List<Long> values = Collections.synchronizedList(new ArrayList<>());
    /** Called by the test of a transport. */
    protected SlowConsumerTck() {}

    @Test
    void stalledOutletStopsTheInletAtABound() throws InterruptedException {
        assumeTrue(fixture.backlog().isPresent(), "only storage limits this transport");
        int most = (SERVICES + 1) * fixture.backlog().getAsInt();
        if (!transport.guarantees().contains(Guarantee.IMMEDIATE)) {
            most += INLET_FRAMES;
        }
        CountDownLatch goesOn = new CountDownLatch(1);
        try (Loops loops = Loops.threadPerService();
                RunningChain running = start(loops, goesOn)) {
            try {
                long sent = sendUntilRefused(running.inlet(), most + 1L);
                assertThat(sent)
                        .as(
                                "messages that an inlet takes while its sink is stalled; rule: a writer is refused at a bound"
                                        + " (TopicWriter.remainingCapacity)")
                        .isBetween(1L, (long) most);
                assertThat(running.inlet().tryClaim(Long.BYTES)).isNull();
                assertThat(running.failure()).isEmpty();
                assertThat(values).hasSizeLessThanOrEqualTo(1);

                goesOn.countDown();
                awaitAll(sent);
                long more = sendUntilRefused(running.inlet(), sent + most);
                awaitAll(more);
            } finally {
                goesOn.countDown();
                running.close(fixture.longestWait()); // a chain that fails this test cannot drain
            }
        }
    }

    @Test
    void unboundedInletContinuesAndLosesNothing() throws InterruptedException {
        assumeTrue(fixture.backlog().isEmpty(), "this transport refuses at a bound of its own");
        CountDownLatch goesOn = new CountDownLatch(1);
        try (Loops loops = Loops.threadPerService();
                RunningChain running = start(loops, goesOn)) {
            long sent = sendUntilRefused(running.inlet(), Math.min(MANY, fixture.manyFrames()));
            assertThat(sent).isEqualTo(Math.min(MANY, fixture.manyFrames()));
            assertThat(running.failure()).isEmpty();
            goesOn.countDown();
            awaitAll(sent);
        }
    }

    private RunningChain start(Loops loops, CountDownLatch goesOn) {
        Chain.Builder chain = Chain.named(fixture.newTopic());
        for (int i = 1; i <= SERVICES; i++) {
            chain.then("s" + i, () -> (in, out) -> out.forward(in));
        }
        return chain.build()
                .on(transport)
                .with(loops)
                .onOutput(in -> {
                    goesOn.await();
                    values.add(in.getLong(0));
                })
                .start();
    }

    /** Sends the numbers that follow the last one. @return the newest */
    private long sendUntilRefused(Inlet inlet, long most) {
        long sent = inlet.sequence();
        long last = System.nanoTime();
        while (sent < most && System.nanoTime() - last < STILL_NANOS) {
            Claim claim = inlet.tryClaim(Long.BYTES);
            if (claim == null) {
                LockSupport.parkNanos(NAP_NANOS);
            } else {
                claim.putLong(0, ++sent).commit(Long.BYTES);
                last = System.nanoTime();
            }
        }
        return sent;
    }

    private void awaitAll(long sent) throws InterruptedException {
        long start = System.nanoTime();
        while (values.size() < sent && System.nanoTime() - start < PATIENCE_NANOS) {
            TimeUnit.NANOSECONDS.sleep(NAP_NANOS);
        }
        assertThat(List.copyOf(values))
                .isEqualTo(LongStream.rangeClosed(1, sent).boxed().toList());
    }
}
