package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Inlets over a connection whose frames leave only as it is driven, while their thread does something else. */
class DrivenInletTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    enum Threading {
        ONE_LOOP(() -> Loops.cooperative(1)),
        PER_SERVICE(Loops::threadPerService);

        private final Supplier<Loops> loops;

        Threading(Supplier<Loops> loops) {
            this.loops = loops;
        }
    }

    private final HostileTransport transport = new HostileTransport();
    private final Chain chain =
            Chain.named("c").then("s1", () -> (in, out) -> out.forward(in)).build();
    private final AtomicLong received = new AtomicLong();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @BeforeEach
    void setUp() {
        transport.needsWork = true;
        transport.room = 1 << 16;
    }

    @ParameterizedTest
    @EnumSource
    void whatWasAcceptedLeavesWhileItsSenderIdles(Threading threading) {
        try (Loops loops = threading.loops.get();
                RunningChain running = started(loops)) {
            Inlet inlet = running.inlet();
            for (int i = 1; i <= 3; i++) {
                inlet.send(new byte[1]);
                long sent = i;
                await("accepted messages that leave").atMost(LIMIT).until(() -> received.get() == sent);
            }
            assertThat(inlet.storedSequence()).isEqualTo(3);
            assertThat(failures).isEmpty();
        }
        assertThat(transport.openConnections).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void failureInBackgroundIsToldWhileSenderIdles(Threading threading) {
        TransportException gone = new TransportException("the broker is gone");
        try (Loops loops = threading.loops.get();
                RunningChain running = started(loops)) {
            Inlet inlet = running.inlet();
            inlet.send(new byte[1]);
            transport.backgroundFailure = gone;
            await("the failure of an idle inlet").atMost(LIMIT).until(() -> !failures.isEmpty());
            assertThatThrownBy(() -> inlet.tryClaim(1))
                    .isInstanceOf(ChainFailedException.class)
                    .hasMessageContaining("the broker is gone");
            transport.backgroundFailure = null; // the chain's loop may report the same
            assertThat(failures).containsExactly(gone);
        }
        assertThat(transport.openConnections).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void senderAndDriverNeverMeetInConnection(Threading threading) {
        try (Loops loops = threading.loops.get();
                RunningChain running = started(loops)) {
            Inlet inlet = running.inlet();
            for (int i = 0; i < 20_000; i++) {
                inlet.send(new byte[1]);
            }
            await("accepted messages that leave").atMost(LIMIT).until(() -> received.get() == 20_000);
            assertThat(failures).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anotherThreadThatClosesTheChainDrivesToo(Threading threading) throws InterruptedException {
        try (Loops loops = threading.loops.get()) {
            RunningChain running = started(loops);
            Thread sender = new Thread(() -> {
                for (int i = 0; i < 100; i++) {
                    running.inlet().send(new byte[1]);
                }
            });
            sender.start();
            sender.join();
            assertThat(running.close(LIMIT)).isTrue();
        }
        assertThat(received).hasValue(100);
        assertThat(failures).isEmpty();
        assertThat(transport.openConnections).isZero();
    }

    @Test
    void messagesInFlightAtCloseAreDrained() {
        transport.knowsSequence = false;
        transport.turnsHeldBack = 20;
        try (Loops loops = Loops.manual()) {
            RunningChain running = started(loops);
            running.inlet().send(new byte[1]);
            assertThat(running.close(LIMIT)).isTrue();
        }
        assertThat(received).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void closeWhileInletOpensDoesNotFail(Threading threading) throws InterruptedException {
        CountDownLatch opening = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        Thread sender;
        try (Loops loops = threading.loops.get()) {
            RunningChain running = started(loops);
            transport.duringOpen = topic -> {
                opening.countDown();
                awaitQuietly(closed);
            };
            Inlet inlet = running.inlet();
            sender = new Thread(
                    () -> assertThatThrownBy(() -> inlet.send(new byte[1])).hasMessageContaining("closed"));
            sender.start();
            assertThat(opening.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(running.close(LIMIT)).isTrue();
        }
        closed.countDown();
        sender.join();
        assertThat(failures).isEmpty();
        assertThat(transport.openConnections).isZero();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theInletsOfAllPartitionsHaveOneDriver(Threading threading) throws InterruptedException {
        try (Loops loops = threading.loops.get()) {
            RunningChain running = chain.on(transport)
                    .with(loops)
                    .onFailure(failures::add)
                    .onOutput(in -> received.incrementAndGet())
                    .partitions(3)
                    .start();
            for (int partition = 0; partition < 3; partition++) {
                running.inlet(partition).send(new byte[1]);
            }
            await("accepted messages that leave").atMost(LIMIT).until(() -> received.get() == 3);
            for (int partition = 0; partition < 3; partition++) {
                running.inlet(partition).send(new byte[1]);
            }
            AtomicReference<Boolean> isDrained = new AtomicReference<>();
            Thread closer = new Thread(() -> isDrained.set(running.close(LIMIT)));
            closer.start();
            closer.join();
            assertThat(isDrained).hasValue(true);
        }
        assertThat(received).hasValue(6);
        assertThat(failures).isEmpty();
        assertThat(transport.openConnections).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void inletOfTopicReadElsewhereIsDriven(Threading threading) {
        try (Loops loops = threading.loops.get();
                RunningChain running = chain.on(transport).with(loops).only().start()) {
            running.inlet().send(new byte[1]);
            await("an accepted message that leaves")
                    .atMost(LIMIT)
                    .until(() -> transport.topic("c-0").size() == 1);
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("baton-loop"));
    }

    private RunningChain started(Loops loops) {
        return chain.on(transport)
                .with(loops)
                .onFailure(failures::add)
                .onOutput(in -> received.incrementAndGet())
                .start();
    }
}
