package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.errors.TransportException;
import dev.baton.status.ChainStatus;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The time that a close takes. */
@Timeout(30)
class CloseLimitTest {
    private static final Duration LIMIT = Duration.ofMillis(50);
    private static final Duration MOST =
            Duration.ofSeconds(5); // far more than the limit and 500 ms, half of the former ten seconds

    private final HostileTransport transport = new HostileTransport();
    private final CountDownLatch isHeld = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    @AfterEach
    void nothingIsLeftOpen() {
        release.countDown();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (transport.openConnections > 0 && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(transport.openConnections)
                .as("connections open when the callback has returned")
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void blockedMessageCallbackIsNotAwaited(boolean isSplit) throws InterruptedException {
        Loops loops = isSplit ? Loops.threadPerService() : Loops.cooperative(1);
        RunningChain running = held(loops);

        assertThat(timeOf(() -> assertThat(running.close(LIMIT)).isFalse())).isLessThan(MOST);

        assertThat(running.status().phase()).isEqualTo(ChainStatus.Phase.CLOSED);
        release.countDown();
        loops.close();
    }

    @Test
    void loopsDoNotAwaitAbandonedCallbacks() throws InterruptedException {
        Loops loops = Loops.cooperative(1);
        RunningChain running = held(loops);
        assertThat(running.close(LIMIT)).isFalse();
        assertThat(timeOf(loops::close)).isLessThan(MOST);
    }

    /** Starts a chain whose service is held in a call. */
    private RunningChain held(Loops loops) throws InterruptedException {
        RunningChain running = Chain.named("c")
                .then("price", () -> (in, out) -> hold())
                .build()
                .on(transport)
                .with(loops)
                .start();
        running.inlet().send(new byte[1]);
        isHeld.await();
        return running;
    }

    /** The futures of messages of a shared inlet complete at the latest when the chain is closed. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void blockedCallbackHoldsUpNoFuture(boolean isRestarting) throws InterruptedException {
        Loops loops = Loops.cooperative(1);
        transport.storesLate = true;
        Deployment deployment = Chain.named("c")
                .then("price", () -> new TickingService() {
                    @Override
                    public void onMessage(Message in, Outlet out) {}

                    @Override
                    public int onTick(Outlet out) {
                        if (transport.topics().contains("c-0")
                                && transport.topic("c-0").size() > 0) {
                            hold();
                        }
                        return 0;
                    }
                })
                .build()
                .on(transport)
                .with(loops);
        RunningChain running = (isRestarting
                        ? deployment.restart(RestartPolicy.backoff(Duration.ofMillis(1), Duration.ofMillis(1)))
                        : deployment)
                .start();
        SharedInlet inlet = running.sharedInlet(8);
        CompletableFuture<Long> sent = inlet.offerStored(new byte[1]);
        isHeld.await();
        CompletableFuture<Long> waiting = inlet.offerStored(new byte[1]);

        running.close(LIMIT);

        assertThat(waiting).isCompletedExceptionally();
        assertThat(sent).isCompletedExceptionally();
        release.countDown();
        loops.close();
    }

    /** A run that failed may still be held up by a stage of a future while the chain is closed, between runs or in the next one. */
    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void callbackOfFailedRunHoldsUpNoFuture(boolean isPartitioned, boolean isOpenAgain) throws InterruptedException {
        Loops loops = Loops.threadPerService();
        transport.storesLate = true;
        transport.excludesWriters = false;
        AtomicBoolean fails = new AtomicBoolean();
        Duration pause = isOpenAgain ? Duration.ofMillis(1) : Duration.ofHours(1);
        Deployment deployment = Chain.named("c")
                .then("price", () -> new TickingService() {
                    @Override
                    public void onMessage(Message in, Outlet out) {}

                    @Override
                    public int onTick(Outlet out) {
                        if (fails.getAndSet(false)) {
                            throw new TransportException("broken");
                        }
                        return 0;
                    }
                })
                .build()
                .on(transport)
                .with(loops)
                .restart(RestartPolicy.backoff(pause, pause));
        RunningChain running = (isPartitioned ? deployment.partitions(1) : deployment).start();
        SharedInlet inlet = running.sharedInlet(8);
        CompletableFuture<Long> first = inlet.offerStored(new byte[1]);
        first.thenRun(this::hold);
        CompletableFuture<Long> second = inlet.offerStored(new byte[1]);
        await(() -> transport.topic("c-0").size() == 2);
        transport.store();
        isHeld.await();

        fails.set(true);
        await(() -> running.restarts() == 1 && (!isOpenAgain || running.status().phase() == ChainStatus.Phase.RUNNING));
        assertThat(first).isCompleted();
        assertThat(second).isNotDone();
        running.close(LIMIT);

        assertThat(second).isCompletedExceptionally();
        release.countDown();
        loops.close();
    }

    @Test
    void blockedLastCallIsNotAwaited() {
        Loops loops = Loops.cooperative(1);
        RunningChain running = Chain.named("c")
                .then("price", () -> new Service() {
                    @Override
                    public void onMessage(Message in, Outlet out) {}

                    @Override
                    public void onClosed() {
                        hold();
                    }
                })
                .build()
                .on(transport)
                .with(loops)
                .start();

        assertThat(timeOf(() -> running.close(LIMIT))).isLessThan(MOST);

        release.countDown();
        loops.close();
    }

    @Test
    void blockedSourceIsNotAwaited() {
        Loops loops = Loops.cooperative(1);
        RunningChain running = Chain.named("c")
                .build()
                .on(transport)
                .with(loops)
                .from(new Source() {
                    @Override
                    public int onTick(Outlet out) {
                        return 0;
                    }

                    @Override
                    public void onClose() {
                        hold();
                    }
                })
                .start();

        assertThat(timeOf(() -> running.close(LIMIT))).isLessThan(MOST);

        release.countDown();
        loops.close();
    }

    @Test
    void callbackOfAnotherChainIsNotAwaited() throws InterruptedException {
        Loops loops = Loops.cooperative(1);
        RunningChain blocked = Chain.named("blocked")
                .then("price", () -> (in, out) -> hold())
                .build()
                .on(transport)
                .with(loops)
                .start();
        RunningChain idle = Chain.named("idle")
                .then("pass", () -> (in, out) -> {})
                .build()
                .on(transport)
                .with(loops)
                .start();
        blocked.inlet().send(new byte[1]);
        isHeld.await();

        assertThat(timeOf(() -> idle.close(LIMIT))).isLessThan(MOST);

        release.countDown();
        blocked.close();
        loops.close();
    }

    @Test
    void transportThatTakesTimeIsAwaited() {
        Loops loops = Loops.cooperative(1);
        long mayClose = System.nanoTime() + Duration.ofMillis(1_500).toNanos();
        transport.mayClose = consumer -> System.nanoTime() - mayClose >= 0;
        RunningChain running = Chain.named("c")
                .then("pass", () -> (in, out) -> {})
                .build()
                .on(transport)
                .with(loops)
                .start();

        running.close(LIMIT);

        assertThat(System.nanoTime()).isGreaterThanOrEqualTo(mayClose);
        assertThat(transport.openConnections).isZero();
        loops.close();
    }

    @Test
    void blockedOpeningOfRestartIsNotAwaited() throws Exception {
        Loops loops = Loops.cooperative(1);
        boolean[] isFirst = {true};
        RunningChain supervised = Chain.named("c")
                .then("price", () -> new Service() {
                    @Override
                    public void onStart(ServiceContext context) {
                        if (!isFirst[0]) {
                            hold();
                        }
                        isFirst[0] = false;
                    }

                    @Override
                    public void onMessage(Message in, Outlet out) {
                        throw new TransportException("broken");
                    }
                })
                .build()
                .on(transport)
                .with(loops)
                .restart(RestartPolicy.backoff(Duration.ofMillis(1), Duration.ofMillis(10)))
                .start();
        supervised.inlet().send(new byte[1]);
        isHeld.await();

        assertThat(timeOf(() -> supervised.close(LIMIT))).isLessThan(MOST);

        release.countDown();
        loops.close();
    }

    /** Partitions whose opening and whose callback are held up take one limit together, not one after the other. */
    @Test
    void partitionsThatAreHeldUpShareOneLimit() throws InterruptedException {
        Loops loops = Loops.threadPerService();
        Duration limit = Duration.ofSeconds(2);
        AtomicInteger starts = new AtomicInteger();
        CountDownLatch isOpening = new CountDownLatch(1);
        RunningChain running = Chain.named("c")
                .then("price", () -> new Service() {
                    @Override
                    public void onStart(ServiceContext context) {
                        if (starts.incrementAndGet() > 2) {
                            isOpening.countDown();
                            hold();
                        }
                    }

                    @Override
                    public void onMessage(Message in, Outlet out) {
                        if (in.partition() == 0) {
                            throw new TransportException("broken");
                        }
                        hold();
                    }
                })
                .build()
                .on(transport)
                .with(loops)
                .partitions(2)
                .restart(RestartPolicy.backoff(Duration.ofMillis(1), Duration.ofMillis(1)))
                .start();
        running.inlet(1).send(new byte[1]);
        isHeld.await();
        running.inlet(0).send(new byte[1]);
        isOpening.await();

        assertThat(timeOf(() -> running.close(limit))).isLessThan(limit.multipliedBy(2));

        release.countDown();
        loops.close();
    }

    private void hold() {
        isHeld.countDown();
        try {
            release.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.getAsBoolean() && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    private static Duration timeOf(Runnable action) {
        long begun = System.nanoTime();
        action.run();
        return Duration.ofNanos(System.nanoTime() - begun);
    }
}
