package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Guarantee;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a transport prepares holds up the caller that opens, and nobody else; when it is not wanted any more it is released. */
@Timeout(30)
class OpeningBesideOthersTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final HostileTransport transport = new HostileTransport().with(Guarantee.EXCLUSIVE);
    private final CountDownLatch isBlocked = new CountDownLatch(1);
    private final CountDownLatch unblock = new CountDownLatch(1);
    private final AtomicReference<Throwable> thrown = new AtomicReference<>();
    private final List<String> delivered = new CopyOnWriteArrayList<>();
    private final Loops loops = Loops.cooperative(1);

    OpeningBesideOthersTest() {
        transport.opensInSteps = true;
    }

    @AfterEach
    void closeLoops() {
        unblock.countDown();
        loops.close();
    }

    @Test
    void chainContinuesWhileAnotherIsOpened() throws Exception {
        try (RunningChain steady = deployment("steady")
                .onOutput(message -> delivered.add("" + message.length()))
                .start()) {
            block("slow-1");
            Thread starter = start(deployment("slow"));
            isBlocked.await();
            for (int i = 1; i <= 3; i++) {
                steady.inlet().send(new byte[i]);
                int count = i;
                await().atMost(LIMIT).until(() -> delivered.size() == count);
            }
            assertThat(starter.isAlive()).isTrue();
            unblock.countDown();
            starter.join();
            assertThat(thrown.get()).isNull();
        }
        assertThat(transport.openConnections).isZero();
    }

    @Test
    void interruptedPreparationLeavesNothing() throws Exception {
        block("c-2");
        Thread starter = start(deployment("c"));
        isBlocked.await();
        starter.interrupt();
        starter.join();
        assertThat(thrown.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("interrupted");
        assertNothingIsLeft();
    }

    @Test
    void startWhosePreparingTakesTooLongLeavesNothing() throws Exception {
        transport.duringOpen = topic -> {
            if (topic.equals("c-2")) {
                await().pollDelay(Duration.ofMillis(30)).until(() -> true);
            }
        };
        assertThatThrownBy(
                        () -> deployment("c").openWithin(Duration.ofMillis(20)).start())
                .isInstanceOf(TransportException.class) // after which a chain that restarts tries again
                .hasMessageContaining("within 20 ms");
        assertNothingIsLeft();
    }

    @Test
    void failedPreparationReleasesEarlierParts() {
        transport.duringOpen = topic -> {
            if (topic.equals("c-2")) {
                throw new TransportException("not now");
            }
        };
        assertThatThrownBy(() -> deployment("c").start()).hasMessage("not now");
        assertNothingIsLeft();
    }

    @Test
    void loopsClosedDuringPreparationLeaveNothing() throws Exception {
        block("c-2");
        Thread starter = start(deployment("c"));
        isBlocked.await();
        loops.close();
        assertThat(transport.openConnections).isZero();
        unblock.countDown();
        starter.join();
        assertThat(thrown.get()).isInstanceOf(IllegalStateException.class);
        assertThat(transport.topics())
                .as("topics, which a writer would keep from being deleted")
                .isEmpty();
    }

    @Test
    void connectionFailureDuringPreparationFailsTheStart() throws Exception {
        block("c-2");
        Thread starter = start(deployment("c"));
        isBlocked.await();
        transport.backgroundFailure = new TransportException("lost a frame");
        int seen = transport.turns;
        await().atMost(LIMIT).until(() -> transport.turns > seen + 1);
        transport.backgroundFailure = null;
        unblock.countDown();
        starter.join();
        assertThat(thrown.get())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("failed while the chain was opened")
                .hasRootCauseMessage("lost a frame");
        assertNothingIsLeft();
    }

    @Test
    void chainContinuesWhileAnotherIsClosed() throws Exception {
        transport.mayClose = consumer -> unblock.getCount() == 0;
        try (RunningChain steady = deployment("steady")
                .onOutput(message -> delivered.add("" + message.length()))
                .start()) {
            RunningChain slow = deployment("slow").start();
            Thread closer = new Thread(slow::close);
            closer.start();
            await().atMost(LIMIT).until(() -> closer.getState() == Thread.State.TIMED_WAITING);
            steady.inlet().send(new byte[1]);
            await().atMost(LIMIT).until(() -> delivered.size() == 1);
            assertThat(closer.isAlive()).isTrue();
            assertThat(transport.openReaders).isEqualTo(5);
            unblock.countDown();
            closer.join();
            assertThat(transport.openReaders).isEqualTo(3);
        }
        assertThat(transport.openConnections).isZero();
    }

    @Test
    void closingPartitionsDoesNotAwaitAnOpeningInlet() throws Exception {
        AtomicInteger inlets = new AtomicInteger();
        transport.duringOpen = topic -> {
            if (topic.startsWith("c-0") && inlets.incrementAndGet() == 2) {
                blockHere();
            }
        };
        RunningChain partitions = deployment("c").partitions(2).start();
        Thread sender = new Thread(() -> {
            partitions.inlet(0).tryClaim(1).commit(1);
            partitions.inlet(1).tryClaim(1).commit(1);
        });
        sender.setUncaughtExceptionHandler((thread, failure) -> thrown.set(failure));
        sender.start();
        isBlocked.await();
        Thread closer = new Thread(partitions::close);
        closer.start();
        closer.join(LIMIT.toMillis());
        assertThat(closer.isAlive()).isFalse();
        unblock.countDown();
        sender.join();
        assertThat(thrown.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        assertThat(transport.openConnections).isZero();
    }

    @Test
    void closeDoesNotAwaitAnOpeningSharedInlet() throws Exception {
        RunningChain chain = deployment("c").start();
        block("c-0");
        Thread sender = new Thread(() -> chain.sharedInlet(16));
        sender.setUncaughtExceptionHandler((thread, failure) -> thrown.set(failure));
        sender.start();
        isBlocked.await();
        Thread closer = new Thread(chain::close);
        closer.start();
        closer.join(LIMIT.toMillis());
        assertThat(closer.isAlive()).isFalse();
        unblock.countDown();
        sender.join();
        assertThat(thrown.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("is closed");
        assertThat(transport.openConnections).isZero();
    }

    private void assertNothingIsLeft() {
        assertThat(transport.openConnections).isZero();
        transport.duringOpen = topic -> {};
        assertThat(deployment("c").start().close(LIMIT)).isTrue();
    }

    private Deployment deployment(String name) {
        return Chain.named(name)
                .then("s1", () -> (in, out) -> out.forward(in))
                .then("s2", () -> (in, out) -> out.forward(in))
                .build()
                .on(transport)
                .with(loops)
                .onFailure(cause -> {});
    }

    /** Starts the chain and closes it, in a thread of its own. */
    private Thread start(Deployment deployment) {
        Thread starter = new Thread(() -> deployment.start().close());
        starter.setUncaughtExceptionHandler((thread, failure) -> thrown.set(failure));
        starter.start();
        return starter;
    }

    private void block(String topic) {
        transport.duringOpen = writer -> {
            if (writer.equals(topic)) {
                blockHere();
            }
        };
    }

    private void blockHere() {
        isBlocked.countDown();
        try {
            unblock.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new TransportException("interrupted", interrupted);
        }
    }
}
