package dev.baton.engine.inlet;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.BackPressureException;
import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.Inlet;
import dev.baton.RunningChain;
import dev.baton.SharedInlet;
import dev.baton.SharedInlet.Offer;
import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.errors.TransportException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The ways into a chain, and what they refuse. */
class InletConnectionTest {
    private final HostileTransport transport = new HostileTransport();
    private final Chain chain =
            Chain.named("c").then("s1", () -> (in, out) -> out.forward(in)).build();

    @Test
    void inletBelongsToFirstThreadThatUsesIt() throws InterruptedException {
        try (Loops loops = Loops.manual();
                RunningChain running = chain.on(transport).with(loops).start()) {
            Inlet inlet = running.inlet();
            inlet.send(new byte[1]);
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread other = new Thread(() -> inlet.tryClaim(1));
            other.setUncaughtExceptionHandler((thread, failure) -> thrown.set(failure));
            other.start();
            other.join();
            assertThat(thrown.get())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(
                            "belongs to thread " + Thread.currentThread().getName());
        }
    }

    @Test
    void aTopicHasOneEntrance() {
        try (Loops loops = Loops.manual();
                RunningChain running = chain.on(transport).with(loops).start()) {
            running.inlet();
            assertThatThrownBy(() -> running.sharedInlet(10)).hasMessageContaining("one writer already: inlet()");
        }
        try (Loops loops = Loops.manual();
                RunningChain running =
                        chain.on(transport).with(loops).from(out -> 0).start()) {
            assertThatThrownBy(running::inlet).hasMessageContaining("a source");
        }
    }

    @Test
    void aClosedChainSaysSo() {
        try (Loops loops = Loops.manual()) {
            RunningChain running = chain.on(transport).with(loops).start();
            Inlet inlet = running.inlet();
            assertThat(running.close(RunningChain.CLOSE_LIMIT))
                    .as("an inlet that was never used leaves nothing in hand")
                    .isTrue();
            running.close();
            assertThatThrownBy(() -> inlet.tryClaim(1)).hasMessageContaining("closed");
        }
    }

    @Test
    void redeliveredInputCountsAsWork() {
        transport.knowsSequence = false;
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger received = new AtomicInteger();
        Chain failing = Chain.named("c")
                .then("s1", () -> (in, out) -> {
                    if (calls.incrementAndGet() < 3) {
                        throw new IllegalStateException("fails twice");
                    }
                    out.forward(in);
                })
                .build();
        try (Loops loops = Loops.manual()) {
            RunningChain running = failing.on(transport)
                    .with(loops)
                    .onError(ErrorPolicy.retry(2))
                    .onOutput(in -> received.incrementAndGet())
                    .start();
            running.inlet().send(new byte[1]);
            assertThat(running.close(RunningChain.CLOSE_LIMIT)).isTrue();
        }
        assertThat(received).hasValue(1);
    }

    @Test
    void connectionFailingDuringCloseIsReleased() {
        try (Loops loops = Loops.manual()) {
            RunningChain running = chain.on(transport).with(loops).start();
            running.inlet().send(new byte[1]);
            transport.backgroundFailure = new TransportException("the broker is gone");
            assertThat(running.close(Duration.ofSeconds(1))).isFalse();
            assertThat(running.close(Duration.ofSeconds(1))).as("again").isFalse();
            assertThat(running.failure()).containsSame(transport.backgroundFailure);
            assertThat(transport.openConnections).isZero();
        }
    }

    @Test
    void fullChainRefusesWithinTheRequestedTime() {
        transport.room = 2;
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .only()
                        .sendWithin(Duration.ofMillis(30))
                        .start()) {
            transport.topic("c-0").acknowledged.put("s1", 0L);
            Inlet inlet = running.inlet();
            inlet.send(new byte[1]);
            inlet.send(new byte[1]);
            assertThat(inlet.tryClaim(1)).isNull();
            assertThatThrownBy(() -> inlet.send(new byte[1]))
                    .isInstanceOf(BackPressureException.class)
                    .hasMessageContaining("30 ms");
        }
    }

    @Test
    void manyThreadsShareInletAndNothingIsLost() {
        transport.room = 1 << 20;
        Map<Long, Set<Long>> received = new ConcurrentHashMap<>();
        AtomicLong count = new AtomicLong();
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .onOutput(in -> {
                            received.computeIfAbsent(in.getLong(0) >> 32, any -> ConcurrentHashMap.newKeySet())
                                    .add(in.getLong(0));
                            count.incrementAndGet();
                        })
                        .start()) {
            SharedInlet inlet = running.sharedInlet(64);
            List<Thread> senders = LongStream.range(0, 4)
                    .mapToObj(id -> new Thread(() -> offerAll(inlet, id, 1_000)))
                    .toList();
            senders.forEach(Thread::start);
            await().atMost(10, SECONDS).until(() -> count.get() == 4_000);
        }
        assertThat(received.values()).hasSize(4).allMatch(values -> values.size() == 1_000);
    }

    @Test
    void closingPassesOnWhatSharedInletHasTaken() {
        AtomicLong count = new AtomicLong();
        try (Loops loops = Loops.manual()) {
            RunningChain running = chain.on(transport)
                    .with(loops)
                    .onOutput(in -> count.incrementAndGet())
                    .start();
            SharedInlet inlet = running.sharedInlet(64);
            for (int i = 0; i < 50; i++) {
                assertThat(inlet.offer(new byte[8])).isEqualTo(Offer.ACCEPTED);
            }
            assertThat(running.close(RunningChain.CLOSE_LIMIT)).isTrue();
            assertThat(inlet.offer(new byte[8])).isEqualTo(Offer.CLOSED);
        }
        assertThat(count).hasValue(50);
    }

    @Test
    void aSharedInletRefusesWhatIsTooLong() {
        try (Loops loops = Loops.manual();
                RunningChain running = chain.on(transport).with(loops).start()) {
            SharedInlet inlet = running.sharedInlet(4);
            assertThatThrownBy(() -> inlet.offer(new byte[1025]))
                    .hasMessageContaining("1025")
                    .hasMessageContaining("1024");
        }
    }

    private static void offerAll(SharedInlet inlet, long id, int count) {
        for (int i = 0; i < count; i++) {
            byte[] payload = ByteBuffer.allocate(8)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(id << 32 | i)
                    .array();
            while (inlet.offer(payload) != Offer.ACCEPTED) {
                Thread.onSpinWait();
            }
        }
    }
}
