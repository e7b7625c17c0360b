package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.fixtures.HostileTransport;
import dev.baton.fixtures.LogRecorder;
import dev.baton.run.Idle;
import dev.baton.run.Loops;
import dev.baton.status.ChainStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a chain does that has failed: nothing, on none of its loops. */
class FailedChainTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final HostileTransport transport = new HostileTransport();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @Test
    void failureAtMessageNamesItsNextDelivery() {
        try (LogRecorder log = new LogRecorder();
                Loops loops = Loops.manual();
                RunningChain running = Chain.named("c")
                        .then("s", () -> (in, out) -> {
                            throw new IllegalStateException("no");
                        })
                        .build()
                        .on(transport)
                        .with(loops)
                        .start()) {
            running.inlet().send(new byte[1]);
            loops.turn();
            assertThat(log.messages())
                    .singleElement()
                    .asString()
                    .contains("failed at message 1 of topic c-0", "the next start delivers it again", "ErrorPolicy");
        }
    }

    @Test
    void errorOfInletsConnectionReleasesChain() {
        OutOfMemoryError error = new OutOfMemoryError("of the inlet's connection");
        try (Loops loops = Loops.manual()) {
            RunningChain running = Chain.named("c")
                    .then("s", () -> (in, out) -> out.forward(in))
                    .build()
                    .on(transport)
                    .with(loops)
                    .onFailure(failures::add)
                    .start();
            running.inlet().send(new byte[1]);
            transport.beforeCall = () -> {
                transport.beforeCall = () -> {};
                throw error;
            };
            assertThat(running.close(LIMIT)).isFalse();
            assertThat(failures).containsExactly(error);
            assertThat(transport.openConnections).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void errorInOnClosedLeavesNoChainOpen(boolean isManual) {
        HostileTransport transport = new HostileTransport();
        List<String> closed = Collections.synchronizedList(new ArrayList<>());
        Loops loops = isManual ? Loops.manual() : Loops.cooperative(1);
        List<RunningChain> running = new ArrayList<>();
        for (String name : List.of("a", "b")) {
            running.add(Chain.named(name)
                    .then("s", () -> new Service() {
                        @Override
                        public void onMessage(Message in, Outlet out) {}

                        @Override
                        public void onClosed() {
                            closed.add(name);
                            throw new AssertionError("onClosed of " + name);
                        }
                    })
                    .build()
                    .on(transport)
                    .with(loops)
                    .onFailure(failure -> {})
                    .start());
        }

        loops.close();

        assertThat(closed).containsExactly("a", "b");
        assertThat(running).allSatisfy(each -> assertThat(each.failure()).isPresent());
        assertThat(transport.openConnections).isZero();
    }

    /** A service that throws with half of its state changed, so that its later outputs would be wrong. */
    private static final class HalfDone implements TickingService {
        private final List<String> calls;
        private final BooleanSupplier failsInTick;

        HalfDone(List<String> calls, BooleanSupplier failsInTick) {
            this.calls = calls;
            this.failsInTick = failsInTick;
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            calls.add("message");
            throw new IllegalStateException("half done");
        }

        @Override
        public int onTick(Outlet out) {
            calls.add("tick");
            if (failsInTick.getAsBoolean()) {
                throw new IllegalStateException("half done");
            }
            out.claim(0).commit(0);
            return 1;
        }

        @Override
        public void onClosing(Outlet out) {
            calls.add("closing");
            out.claim(0).commit(0);
        }
    }

    private RunningChain halfDone(List<String> calls, BooleanSupplier failsInTick, Loops loops) {
        return Chain.named("c")
                .then("s", () -> new HalfDone(calls, failsInTick))
                .build()
                .on(transport)
                .with(loops)
                .onFailure(failures::add)
                .start();
    }

    @Test
    void serviceThatFailedAtAMessageTicksNoMore() {
        transport.createTopics(List.of("c-0"));
        transport.write("c-0", 1, 1);
        List<String> calls = new ArrayList<>();
        try (Loops loops = Loops.manual()) {
            RunningChain running = halfDone(calls, () -> false, loops);
            loops.turn();
            running.close(Duration.ZERO);
        }
        assertThat(failures).singleElement().asString().contains("half done");
        assertThat(calls).containsExactly("message");
        assertThat(transport.frames("c-1")).isEmpty();
    }

    @Test
    void serviceThatFailedInATickIsNotToldClosing() {
        AtomicBoolean fails = new AtomicBoolean();
        List<String> calls = new ArrayList<>();
        try (Loops loops = Loops.manual()) {
            RunningChain running = halfDone(calls, fails::get, loops);
            fails.set(true);
            assertThat(running.close(LIMIT)).isFalse();
        }
        assertThat(failures).singleElement().asString().contains("half done");
        assertThat(calls).containsExactly("tick");
        assertThat(transport.frames("c-1")).isEmpty();
    }

    @Test
    void sourceThatThrowsLeavesNothingOfThatTurn() {
        AtomicBoolean fails = new AtomicBoolean();
        try (Loops loops = Loops.manual();
                RunningChain running = Chain.named("c")
                        .build()
                        .on(transport)
                        .with(loops)
                        .onFailure(failures::add)
                        .from(out -> {
                            out.claim(0).commit(0);
                            out.claim(0).commit(0);
                            if (fails.get()) {
                                out.claim(0);
                                throw new IllegalStateException("cannot read on");
                            }
                            return 2;
                        })
                        .start()) {
            loops.turn();
            fails.set(true);
            loops.turn();
            assertThat(transport.frames("c-0"))
                    .as("frames of the turns that did not throw")
                    .hasSize(2);
            assertThat(failures).singleElement().asString().contains("cannot read on");
            assertThat(running.failure()).containsSame(failures.get(0));
        }
        assertThat(transport.frames("c-0"))
                .as("frames of the turns that did not throw")
                .hasSize(2);
    }

    @Test
    void aSourceOnAnotherLoopFeedsNoMore() throws InterruptedException {
        transport.room = 1 << 20;
        AtomicLong ticks = new AtomicLong();
        try (Loops loops = Loops.threadPerService();
                RunningChain running = Chain.named("c")
                        .then("s1", () -> (in, out) -> {
                            throw new IllegalStateException("cannot price this");
                        })
                        .build()
                        .on(transport)
                        .with(loops)
                        .onFailure(failures::add)
                        .from(out -> {
                            ticks.incrementAndGet();
                            out.claim(0).commit(0);
                            return 1;
                        })
                        .start()) {
            await("the failure").atMost(LIMIT).until(() -> !failures.isEmpty());
            running.status(); // the source's loop answers between two sweeps
            long ticksAtFailure = ticks.get();
            for (int i = 0; i < 10; i++) {
                ChainStatus status = running.status();
                assertThat(status.phase()).isEqualTo(ChainStatus.Phase.FAILED);
                assertThat(status.parts()).hasSize(2);
            }
            assertThat(ticks).as("turns of the source after the failure").hasValue(ticksAtFailure);
            assertThat(failures).hasSize(1);
        }
    }

    @Test
    void aLoopThatSleepsIsWokenToStop() {
        transport.storesLate = true;
        CountDownLatch fail = new CountDownLatch(1);
        try (Loops loops = Loops.threadPerService().idle(Idle.park(Duration.ofMinutes(1)));
                RunningChain running = Chain.named("c")
                        .then("s1", () -> (in, out) -> out.forward(in))
                        .then("s2", () -> (in, out) -> {
                            fail.await();
                            throw new IllegalStateException("cannot price this");
                        })
                        .build()
                        .on(transport)
                        .with(loops)
                        .onFailure(failures::add)
                        .start()) {
            CompletableFuture<Long> stored = running.sharedInlet(4).offerStored(new byte[1]);
            await("loops that sleep")
                    .atMost(LIMIT)
                    .until(() -> transport.topic("c-1").size() == 1 && areLoopsAsleep());
            fail.countDown();
            await("the answer of the loop that sleeps").atMost(LIMIT).until(stored::isCompletedExceptionally);
        }
    }

    private static boolean areLoopsAsleep() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("baton-loop"))
                .allMatch(thread ->
                        thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.WAITING);
    }
}
