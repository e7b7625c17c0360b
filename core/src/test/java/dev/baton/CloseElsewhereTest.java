package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Idle;
import dev.baton.run.Loops;
import dev.baton.status.ChainStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A close beside another one, in a callback, or after an error. */
@Timeout(30)
class CloseElsewhereTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final HostileTransport transport = new HostileTransport();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @AfterEach
    void nothingIsLeftOpen() {
        assertThat(transport.openConnections).isZero();
    }

    @Test
    void secondCloseReturnsWhenFirstHasEnded() throws Exception {
        CountDownLatch isHeld = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (Loops loops = Loops.cooperative(1)) {
            RunningChain running = deployment("c", loops, () -> (in, out) -> {
                        isHeld.countDown();
                        release.await();
                    })
                    .start();
            running.inlet().send(new byte[1]);
            isHeld.await();
            Thread first = new Thread(() -> RunningChain.closeAll(List.of(running), LIMIT));
            first.start();
            await().until(() -> running.status(Duration.ofHours(1)).phase() != ChainStatus.Phase.RUNNING
                    || first.getState() == Thread.State.TIMED_WAITING);
            AtomicReference<Boolean> wasDrained = new AtomicReference<>();
            Thread second = new Thread(() -> wasDrained.set(running.close(LIMIT)));
            second.start();
            await().until(() ->
                    second.getState() == Thread.State.TIMED_WAITING || second.getState() == Thread.State.TERMINATED);
            assertThat(wasDrained).as("result while the service is in a call").hasNullValue();
            release.countDown();
            second.join();
            assertThat(wasDrained).hasValue(true);
            first.join();
        }
    }

    @Test
    void callbackMayCloseAnotherChainOfItsLoop() {
        AtomicReference<RunningChain> other = new AtomicReference<>();
        AtomicBoolean isClosed = new AtomicBoolean();
        try (Loops loops = Loops.cooperative(1);
                RunningChain closing = deployment("a", loops, () -> (in, out) -> {
                            other.get().close(Duration.ofMillis(1));
                            isClosed.set(true);
                        })
                        .start()) {
            other.set(deployment("b", loops, () -> (in, out) -> out.forward(in)).start());
            closing.inlet().send(new byte[1]);
            await().untilTrue(isClosed);
            closing.inlet().send(new byte[1]);
            assertThat(closing.close(LIMIT)).isTrue();
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void errorInCloseLeavesNoTopicOpen() {
        Service broken = new Service() {
            @Override
            public void onMessage(Message in, Outlet out) {
                out.forward(in);
            }

            @Override
            public void onClosed() {
                throw new NoClassDefFoundError("gone");
            }
        };
        try (Loops loops = Loops.cooperative(1);
                RunningChain steady = deployment("steady", loops, () -> (in, out) -> out.forward(in))
                        .start()) {
            deployment("c", loops, () -> broken).start().close(LIMIT);
            deployment("c", loops, () -> (in, out) -> out.forward(in)).start().close(LIMIT);
            assertThat(steady.failure()).isEmpty();
        }
    }

    @Test
    void failingIdleStrategyFailsItsChains() {
        Idle broken = idleSweeps -> {
            throw new IllegalStateException("no pause");
        };
        try (Loops loops = Loops.cooperative(1).idle(broken);
                RunningChain running = deployment("c", loops, () -> (in, out) -> out.forward(in))
                        .start()) {
            await().until(() -> running.failure().isPresent());
            assertThat(running.failure().get()).hasMessageContaining("no pause");
        }
    }

    private Deployment deployment(String name, Loops loops, java.util.function.Supplier<Service> service) {
        return Chain.named(name)
                .then("s", service)
                .then("t", () -> (in, out) -> out.forward(in))
                .build()
                .on(transport)
                .with(loops)
                .onOutput(in -> {})
                .onFailure(failures::add);
    }
}
