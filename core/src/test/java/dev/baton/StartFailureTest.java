package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.SharedInlet.Offer;
import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A start that fails, in any way, leaves nothing that runs or that keeps the next start out. */
class StartFailureTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    enum Threading {
        ONE_LOOP(() -> Loops.cooperative(1)),
        TWO_LOOPS(() -> Loops.cooperative(2)),
        PER_SERVICE(Loops::threadPerService);

        private final Supplier<Loops> loops;

        Threading(Supplier<Loops> loops) {
            this.loops = loops;
        }
    }

    private final HostileTransport transport = new HostileTransport();
    private final CountDownLatch isBlocked = new CountDownLatch(1);
    private final CountDownLatch unblock = new CountDownLatch(1);
    private final List<String> opened = new CopyOnWriteArrayList<>();
    private final Chain chain = Chain.named("c")
            .then("s1", () -> (in, out) -> out.forward(in))
            .then("s2", () -> (in, out) -> out.forward(in))
            .build();

    @Test
    void exceptionOfFactoryNamesItsService() {
        Error thrown = new AssertionError("factory");
        Chain failing = Chain.named("c")
                .then("s1", () -> {
                    throw thrown;
                })
                .build();
        try (Loops loops = Loops.cooperative(1)) {
            for (int start = 1; start <= 2; start++) {
                assertThatThrownBy(() -> failing.on(transport).with(loops).start())
                        .isSameAs(thrown);
            }
            assertThat(thrown.getSuppressed())
                    .filteredOn(ServiceFailure.class::isInstance)
                    .as("names of services, for an exception that is thrown at each start")
                    .singleElement()
                    .asString()
                    .contains("s1");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStartThatTakesTooLongLeavesNothing(Threading threading) {
        block("c-1");
        try (Loops loops = threading.loops.get()) {
            long begun = System.nanoTime();
            assertThatThrownBy(() ->
                            deployment(loops).openWithin(Duration.ofMillis(20)).start())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("did not open its part of the chain within 20 ms");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(LIMIT.dividedBy(2));
            unblock.countDown();
            assertStarts(loops);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStartThatIsInterruptedLeavesNothing(Threading threading) throws InterruptedException {
        block("c-1");
        try (Loops loops = threading.loops.get()) {
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread starter = new Thread(() -> deployment(loops).start());
            starter.setUncaughtExceptionHandler((thread, failure) -> thrown.set(failure));
            starter.start();
            isBlocked.await();
            starter.interrupt();
            starter.join();
            assertThat(thrown.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("interrupted");
            unblock.countDown();
            assertStarts(loops);
        }
    }

    @Test
    void startThatWaitsBehindAnotherOneIsWithdrawn() throws InterruptedException {
        block("c-1");
        Chain other = Chain.named("other")
                .then("s1", () -> (in, out) -> out.forward(in))
                .build();
        try (Loops loops = Loops.cooperative(1)) {
            AtomicReference<RunningChain> blocked = new AtomicReference<>();
            Thread starter = new Thread(() -> blocked.set(deployment(loops).start()));
            starter.start();
            isBlocked.await();
            assertThatThrownBy(() -> other.on(transport)
                            .with(loops)
                            .openWithin(Duration.ofMillis(20))
                            .start())
                    .hasMessageContaining("within 20 ms");
            unblock.countDown();
            starter.join();
            blocked.get().close();
            assertThat(opened).contains("c-1").doesNotContain("other-1");
            assertThat(transport.openReaders).isZero();
            other.on(transport).with(loops).start().close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void sharedInletThatTakesTooLongLeavesNothing(Threading threading) {
        block("c-0");
        try (Loops loops = threading.loops.get();
                RunningChain running =
                        deployment(loops).openWithin(Duration.ofMillis(500)).start()) {
            assertThatThrownBy(() -> running.sharedInlet(4)).hasMessageContaining("within 500 ms");
            unblock.countDown();
            await("the end of the late writer").atMost(LIMIT).until(() -> !transport.topic("c-0").hasWriter);
            assertThat(running.sharedInlet(4).offer(new byte[1])).isEqualTo(Offer.ACCEPTED);
        }
    }

    @Test
    void serviceThatCannotBeMadeLeavesNoLoop() {
        Chain failing = Chain.named("f")
                .then("s1", () -> {
                    throw new IllegalStateException("no licence");
                })
                .then("s2", () -> (in, out) -> out.forward(in))
                .build();
        Loops loops = Loops.threadPerService();
        assertThatThrownBy(() -> failing.on(transport).with(loops).start()).hasMessage("no licence");
        await().atMost(LIMIT)
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("baton-loop")));
        loops.close();
    }

    /** The threads of the source, the two services, and the inlet's driver, one after the other. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aThreadThatCannotBeMadeLeavesNothing(int before) {
        AtomicInteger left = new AtomicInteger(before);
        try (Loops loops = Loops.threadPerService()
                .threads(body -> left.getAndDecrement() == 0 ? null : new Thread(body, "baton-loop-of-factory"))) {
            assertThatThrownBy(() -> deployment(loops).from(out -> 0).start())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("returned null");
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().startsWith("baton-loop"));
            assertStarts(loops);
        }
    }

    @Test
    void inletWithoutLoopMayTryAgain() {
        AtomicInteger left = new AtomicInteger(1);
        transport.sendsInTurns = true;
        try (Loops loops = Loops.threadPerService()
                        .threads(body -> left.getAndDecrement() == 0 ? null : new Thread(body));
                RunningChain running = Chain.named("d")
                        .then("s1", () -> (in, out) -> out.forward(in))
                        .build()
                        .on(transport)
                        .only("s1")
                        .with(loops)
                        .start();
                RunningChain other = chain.on(transport)
                        .only()
                        .with(loops)
                        .onFailure(cause -> {})
                        .start()) {
            int before = transport.openConnections;
            assertThatThrownBy(() -> other.inlet().send(new byte[1])).hasMessageContaining("returned null");
            assertThat(transport.openConnections).isEqualTo(before);
            other.inlet().send(new byte[1]);
            assertThat(running.failure()).isEmpty();
        }
        assertThat(transport.openConnections).isZero();
    }

    @Test
    void inletThatCannotOpenMayTryAgain() {
        try (Loops loops = Loops.manual();
                RunningChain running = deployment(loops).start()) {
            int before = transport.openConnections;
            transport.duringOpen = topic -> {
                throw new TransportException("not now");
            };
            Inlet inlet = running.inlet();
            assertThatThrownBy(() -> inlet.tryClaim(1)).hasMessage("not now");
            assertThatThrownBy(() -> inlet.tryClaim(1)).hasMessage("not now");
            assertThat(transport.openConnections).as("connections left open").isEqualTo(before);
            transport.duringOpen = topic -> {};
            inlet.send(new byte[1]);
        }
        assertThat(transport.openConnections).isZero();
    }

    private Deployment deployment(Loops loops) {
        return chain.on(transport).with(loops).onFailure(cause -> {});
    }

    /** The first writer of this topic is opened only when {@link #unblock} is down. */
    private void block(String topic) {
        transport.duringOpen = writer -> {
            opened.add(writer);
            if (writer.equals(topic)) {
                isBlocked.countDown();
                try {
                    unblock.await();
                } catch (InterruptedException interrupted) {
                    throw new IllegalStateException(interrupted);
                }
            }
        };
    }

    private void assertStarts(Loops loops) {
        await("the end of what was opened late")
                .atMost(LIMIT)
                .until(() -> transport.openReaders == 0 && !isWritten("c-1"));
        assertThat(deployment(loops).start().close(LIMIT)).isTrue();
        assertThat(transport.openConnections).isZero();
    }

    private boolean isWritten(String topic) {
        HostileTransport.Topic found = transport.topic(topic);
        return found != null && found.hasWriter;
    }
}
