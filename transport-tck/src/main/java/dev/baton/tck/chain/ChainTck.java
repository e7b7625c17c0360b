package dev.baton.tck.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.Chain;
import dev.baton.ChainFailedException;
import dev.baton.Claim;
import dev.baton.Deployment;
import dev.baton.ErrorPolicy;
import dev.baton.Inlet;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.Source;
import dev.baton.run.Idle;
import dev.baton.run.Loops;
import dev.baton.spi.Guarantee;
import dev.baton.tck.Turns;
import dev.baton.tck.harness.AllocationMeter;
import dev.baton.tck.harness.OtherThread;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract on whole chains: the guarantees for authors of services, on every kind of loop. */
public abstract class ChainTck extends WholeChainTck {
    /** A kind of loop that runs a chain. */
    protected enum Threading {
        COOPERATIVE(() -> Loops.cooperative(1)),
        TWO_LOOPS(() -> Loops.cooperative(2)),
        WITHIN_A_BUDGET(() -> Loops.cooperative(1).latencyBudget(Duration.ofMillis(5))),
        PER_SERVICE(Loops::threadPerService),
        VIRTUAL(Loops::virtual);

        private final Supplier<Loops> loops;

        Threading(Supplier<Loops> loops) {
            this.loops = loops;
        }

        Loops open() {
            assumeTrue(this != VIRTUAL || Runtime.version().feature() >= 21, "virtual threads need JDK 21");
            return loops.get();
        }
    }

    private static final Service PASS = (in, out) -> out.forward(in);

    /** Called by the test of a transport. */
    protected ChainTck() {}

    @ParameterizedTest
    @EnumSource
    void messagesArriveInOrderWithPayloadAndHops(Threading threading) throws Exception {
        int messages = Math.min(fixture.manyFrames(), 20_000);
        List<Long> values = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger wrongHops = new AtomicInteger();
        CountDownLatch received = new CountDownLatch(messages);
        try (Loops loops = threading.open();
                RunningChain running = chain(fixture.newTopic(), 5, PASS)
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> {
                            values.add(in.getLong(0));
                            if (in.servicesPassed() != 5) {
                                wrongHops.incrementAndGet();
                            }
                            received.countDown();
                        })
                        .start()) {
            Inlet inlet = running.inlet();
            for (long value = 1; value <= messages; value++) {
                send(inlet, value);
            }
            await(received, running);
        }
        assertThat(values).isEqualTo(LongStream.rangeClosed(1, messages).boxed().toList());
        assertThat(wrongHops).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource
    void closingPassesOnWhatTheInletHasAccepted(Threading threading) {
        AtomicInteger received = new AtomicInteger();
        try (Loops loops = threading.open()) {
            RunningChain running = chain(fixture.newTopic(), 3, PASS)
                    .on(transport)
                    .with(loops)
                    .onOutput(in -> received.incrementAndGet())
                    .start();
            Inlet inlet = running.inlet();
            for (long value = 1; value <= 500; value++) {
                send(inlet, value);
            }
            assertThat(running.close(limit()))
                    .as("whether all that the inlet has accepted was delivered")
                    .isTrue();
        }
        assertThat(received).hasValue(500);
    }

    @Test
    void threadWithoutSendsMayCloseTheChain() throws Exception {
        List<Long> values = Collections.synchronizedList(new ArrayList<>());
        try (Loops loops = Loops.cooperative(1)) {
            RunningChain running = collecting(loops, values);
            OtherThread.call("tck-sender", () -> {
                LongStream.rangeClosed(1, 100).forEach(value -> send(running.inlet(), value));
                return null;
            });
            assertThat(running.close(limit())).isTrue();
            assertThat(running.failure()).isEmpty();
        }
        assertThat(values).isEqualTo(LongStream.rangeClosed(1, 100).boxed().toList());
    }

    @Test
    void viewsKeptBeyondTheCloseShowNothing() {
        AtomicReference<Message> message = new AtomicReference<>();
        AtomicReference<ByteBuffer> payload = new AtomicReference<>();
        AtomicReference<ByteBuffer> claimed = new AtomicReference<>();
        try (Loops loops = Loops.cooperative(1)) {
            RunningChain running = chain(fixture.newTopic(), 1, (in, out) -> {
                        Claim claim = out.claim(Long.BYTES);
                        claimed.set(claim.payload());
                        claim.putLong(0, in.getLong(0)).commit(Long.BYTES);
                    })
                    .on(transport)
                    .with(loops)
                    .onOutput(in -> {
                        message.set(in);
                        payload.set(in.payload());
                    })
                    .start();
            send(running.inlet(), 1);
            assertThat(running.close(limit())).isTrue();
        }
        transport.close();

        assertThatThrownBy(() -> message.get().getLong(0), "a message of memory that is released")
                .isInstanceOf(IllegalStateException.class);
        assertThat(payload.get().remaining()).isZero();
        assertThat(claimed.get().remaining()).isZero();
    }

    @Test
    void openClaimIsDroppedWhenAnotherThreadCloses() throws Exception {
        List<Long> values = Collections.synchronizedList(new ArrayList<>());
        try (Loops loops = Loops.cooperative(1)) {
            RunningChain running = collecting(loops, values);
            Claim held = OtherThread.call("tck-sender", () -> {
                send(running.inlet(), 1);
                return running.inlet().tryClaim(Long.BYTES).putLong(0, 2);
            });
            assertThat(running.close(limit())).isTrue();
            assertThatThrownBy(() -> held.commit(Long.BYTES)).isInstanceOf(IllegalStateException.class);
        }
        assertThat(values).containsExactly(1L);
    }

    @ParameterizedTest
    @EnumSource
    void sourceFeedsTheChainOnItsLoop(Threading threading) throws Exception {
        CountDownLatch received = new CountDownLatch(300);
        try (Loops loops = threading.open();
                RunningChain running = chain(fixture.newTopic(), 2, PASS)
                        .on(transport)
                        .with(loops)
                        .from(new CountingSource(300))
                        .onOutput(in -> received.countDown())
                        .start()) {
            await(received, running);
        }
    }

    @Test
    void instancesOnSharedLoopsDoNotMix() throws Exception {
        int instances = 6;
        CountDownLatch received = new CountDownLatch(instances * 100);
        List<List<Long>> values = IntStream.range(0, instances)
                .<List<Long>>mapToObj(i -> new ArrayList<>())
                .toList();
        Chain chain = chain(fixture.newTopic(), 2, PASS);
        List<RunningChain> running = new ArrayList<>();
        try (Loops loops = Loops.cooperative(2)) {
            for (int i = 0; i < instances; i++) {
                List<Long> mine = values.get(i);
                running.add(chain.on(transport)
                        .instance(i + 1)
                        .with(loops)
                        .from(new CountingSource(100))
                        .onOutput(in -> {
                            mine.add(in.getLong(0));
                            received.countDown();
                        })
                        .start());
            }
            await(received, running.get(0));
            running.forEach(RunningChain::close);
        }
        assertThat(values)
                .allMatch(mine ->
                        mine.equals(LongStream.rangeClosed(1, 100).boxed().toList()));
    }

    @Test
    void failedServiceStopsTheChainWithItsReason() throws Exception {
        CountDownLatch failed = new CountDownLatch(1);
        Service failing = (in, out) -> {
            throw new IllegalStateException("cannot price this");
        };
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = chain(fixture.newTopic(), 2, failing)
                        .on(transport)
                        .with(loops)
                        .onFailure(cause -> failed.countDown())
                        .start()) {
            Inlet inlet = running.inlet();
            send(inlet, 1);
            assertThat(failed.await(limit().toNanos(), TimeUnit.NANOSECONDS)).isTrue();
            assertThatThrownBy(() -> send(inlet, 2))
                    .isInstanceOf(ChainFailedException.class)
                    .hasMessageContaining("cannot price this");
        }
    }

    @Test
    void aMessageThatIsRetriedLeavesOneOutput() throws Exception {
        AtomicInteger failures = new AtomicInteger(3);
        Service failsAfterCommit = (in, out) -> {
            out.forward(in);
            if (in.getLong(0) == 2 && failures.getAndDecrement() > 0) {
                throw new IllegalStateException("again");
            }
        };
        List<Long> values = Collections.synchronizedList(new ArrayList<>());
        runToClose(
                chain(fixture.newTopic(), 1, failsAfterCommit).on(transport).onError(ErrorPolicy.retry(3)),
                values,
                1,
                3);
        assertThat(values).containsExactly(1L, 2L, 3L);
    }

    @Test
    void restartedChainNeitherLosesNorRepeatsMessages() {
        assumeTrue(transport.guarantees().contains(Guarantee.DURABLE), "this transport is not durable");
        Chain chain = chain(fixture.newTopic(), 3, PASS);
        List<Long> values = Collections.synchronizedList(new ArrayList<>());
        runToClose(chain.on(transport), values, 1, 40);
        transport.close();
        transport = fixture.reopen();
        runToClose(chain.on(transport), values, 41, 80);
        assertThat(values).isEqualTo(LongStream.rangeClosed(1, 80).boxed().toList());
    }

    @Test
    void servicesMayRunAloneAcrossProcesses() {
        assumeTrue(transport.guarantees().contains(Guarantee.CROSS_PROCESS), "this transport stays in its process");
        Chain chain = chain(fixture.newTopic(), 2, PASS);
        List<Long> values = Collections.synchronizedList(new ArrayList<>());
        try (Loops loops = Loops.cooperative(1);
                Loops others = Loops.cooperative(1)) {
            RunningChain receiver = chain.on(transport)
                    .only("s2")
                    .with(others)
                    .onOutput(in -> values.add(in.getLong(0)))
                    .start();
            RunningChain sender = chain.on(transport).only("s1").with(loops).start();
            Inlet inlet = sender.inlet();
            for (long value = 1; value <= 50; value++) {
                send(inlet, value);
            }
            new Turns(limit()).until("50 messages", "every message is delivered", () -> values.size() == 50);
            sender.close();
            receiver.close();
        }
    }

    @Test
    void longestPayloadCrossesTheChain() throws Exception {
        byte[] payload = new byte[transport.maxPayload()];
        new Random(7).nextBytes(payload);
        byte[] got = new byte[payload.length];
        CountDownLatch received = new CountDownLatch(1);
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = chain(fixture.newTopic(), 2, PASS)
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> {
                            in.getBytes(0, got, 0, in.length());
                            received.countDown();
                        })
                        .start()) {
            running.inlet().send(payload);
            await(received, running);
        }
        assertThat(got).isEqualTo(payload);
    }

    @Test
    @Tag("allocation")
    void sixHopsAllocateNothingOnceWarm() {
        assumeTrue(fixture.allocatesNothing(), "this transport does not claim it");
        AtomicInteger received = new AtomicInteger();
        long longestNanos = limit().toNanos(); // computed here, as that allocates
        try (Loops loops = Loops.manual().idle(Idle.spin());
                RunningChain running = chain(fixture.newTopic(), 5, PASS)
                        .on(transport)
                        .with(loops)
                        .from(new CountingSource(Long.MAX_VALUE))
                        .onOutput(in -> received.set(received.get() + 1))
                        .start()) {
            AllocationMeter.assertNothingAllocated(
                    count -> turnUntil(loops, running, received, received.get() + count, longestNanos), 6);
            assertThat(running.failure()).isEmpty();
        }
    }

    private static void turnUntil(
            Loops loops, RunningChain running, AtomicInteger received, int count, long longestNanos) {
        long deadline = System.nanoTime() + longestNanos;
        while (received.get() < count) {
            loops.turn();
            if (running.failure().isPresent() || System.nanoTime() - deadline > 0) {
                throw new AssertionError(
                        received.get() + " of " + count + " messages arrived",
                        running.failure().orElse(null));
            }
        }
    }

    private void runToClose(Deployment deployment, List<Long> values, long from, long to) {
        try (Loops loops = Loops.cooperative(1)) {
            RunningChain running = deployment
                    .with(loops)
                    .onOutput(in -> values.add(in.getLong(0)))
                    .start();
            Inlet inlet = running.inlet();
            for (long value = from; value <= to; value++) {
                send(inlet, value);
            }
            assertThat(running.close(limit()))
                    .as("failure %s", running.failure())
                    .isTrue();
        }
    }

    private static Chain chain(String name, int services, Service service) {
        Chain.Builder builder = Chain.named(name);
        for (int i = 1; i <= services; i++) {
            builder.then("s" + i, () -> service);
        }
        return builder.build();
    }

    private RunningChain collecting(Loops loops, List<Long> values) {
        return chain(fixture.newTopic(), 2, PASS)
                .on(transport)
                .with(loops)
                .onOutput(in -> values.add(in.getLong(0)))
                .start();
    }

    private static void send(Inlet inlet, long value) {
        inlet.send(payload(value));
    }

    /** Sends 1, 2, 3 ... limited by back-pressure, three at a time. */
    private static final class CountingSource implements Source {
        private final long last;
        private long sent;

        CountingSource(long last) {
            this.last = last;
        }

        @Override
        public int onTick(Outlet out) {
            int before = 0;
            while (before < 3 && sent < last) {
                Claim claim = out.claim(Long.BYTES);
                if (claim == null) {
                    break;
                }
                claim.putLong(0, ++sent).commit(Long.BYTES);
                before++;
            }
            return before;
        }

        @Override
        public long deadlineNanos() {
            return sent == last ? Long.MAX_VALUE : System.nanoTime();
        }
    }
}
