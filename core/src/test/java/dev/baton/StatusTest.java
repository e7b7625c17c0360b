package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.engine.ChainRun;
import dev.baton.engine.Closing;
import dev.baton.fixtures.HostileTransport;
import dev.baton.manage.ManagedChain;
import dev.baton.manage.ManagedStorage;
import dev.baton.manage.StorageWatch;
import dev.baton.run.Loops;
import dev.baton.status.ChainStatus;
import dev.baton.status.ChainStatus.BlockedPart;
import dev.baton.status.ChainStatus.Phase;
import dev.baton.status.PartStatus;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a running chain tells about itself. */
class StatusTest {
    private static final Service PASS = (in, out) -> out.forward(in);

    private final HostileTransport transport = new HostileTransport();
    private final Loops loops = Loops.manual();
    private RunningChain running;

    @AfterEach
    void close() {
        if (running != null) {
            running.close();
        }
        loops.close();
    }

    @Test
    void interruptedThreadsGetACompleteStatus() {
        try (Loops threads = Loops.cooperative(1);
                RunningChain chain = two().on(transport).with(threads).start()) {
            Thread.currentThread().interrupt();
            assertThat(chain.status().isComplete()).isTrue();
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void aRunningChainTellsWhereEachPartStands() {
        running = two().on(transport).with(loops).onOutput(message -> {}).start();
        running.inlet().send(new byte[1]);
        running.inlet().send(new byte[1]);
        loops.turn();

        ChainStatus status = running.status();

        assertThat(status.chain().name()).isEqualTo("c");
        assertThat(status.phase()).isEqualTo(Phase.RUNNING);
        assertThat(status.isComplete()).isTrue();
        assertThat(status.parts()).extracting(PartStatus::name).containsExactly("one", "two", Chain.SINK);
        PartStatus one = status.parts().get(0);
        assertThat(one.input().topic()).isEqualTo("c-0");
        assertThat(one.output().topic()).isEqualTo("c-1");
        assertThat(one.input().consumed()).isEqualTo(2);
        assertThat(one.output().sent()).isEqualTo(2);
        assertThat(one.output().stored()).isEqualTo(2);
        PartStatus outlet = status.parts().get(2);
        assertThat(outlet.output()).isNull();
        assertThat(status.backlog()).as("this transport cannot tell").isEqualTo(PartStatus.UNKNOWN);
    }

    @Test
    void failedChainReportsCauseAndProgress() {
        running = Chain.named("c")
                .then("one", () -> (in, out) -> {
                    throw new IllegalStateException("cannot do it");
                })
                .build()
                .on(transport)
                .with(loops)
                .onFailure(cause -> {})
                .start();
        running.inlet().send(new byte[1]);
        loops.turn();

        ChainStatus status = running.status();

        assertThat(status.phase()).isEqualTo(Phase.FAILED);
        assertThat(status.failure().orElseThrow()).hasMessageContaining("cannot do it");
        assertThat(status.parts().get(0).input().consumed()).as("not consumed").isLessThanOrEqualTo(0);
    }

    @Test
    void aClosedChainHasNoParts() {
        running = two().on(transport).with(loops).start();
        running.close();

        assertThat(running.status().phase()).isEqualTo(Phase.CLOSED);
        assertThat(running.status().parts()).isEmpty();
    }

    @Test
    void blockedLoopDoesNotDelayStatus() throws InterruptedException {
        CountDownLatch isHeld = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (Loops thread = Loops.cooperative(1)) {
            running = Chain.named("c")
                    .then("one", () -> (in, out) -> {
                        isHeld.countDown();
                        release.await();
                    })
                    .build()
                    .on(transport)
                    .with(thread)
                    .start();
            running.inlet().send(new byte[1]);
            assertThat(isHeld.await(10, TimeUnit.SECONDS)).isTrue();

            long start = System.nanoTime();
            ChainStatus status = running.status();
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("how long the loop holds up who asks")
                    .isLessThan(ChainStatus.PATIENCE.multipliedBy(10));

            assertThat(status.isComplete()).isFalse();
            assertThat(status.parts()).isEmpty();
            BlockedPart blocked = status.blocked().orElseThrow();
            assertThat(blocked.name()).as("the part that holds the loop up").isEqualTo("one");
            assertThat(blocked.duration()).isGreaterThanOrEqualTo(ChainStatus.PATIENCE);
            assertThat(running.status().blocked().orElseThrow().duration())
                    .as("the same turn")
                    .isGreaterThanOrEqualTo(ChainStatus.PATIENCE.multipliedBy(2));
            release.countDown();
            running.close();
        }
    }

    @Test
    void manyShortCallsAreNotBlocked() {
        transport.room = 1_000;
        try (Loops thread = Loops.cooperative(1)) {
            running = Chain.named("c")
                    .then("lookup", () -> (in, out) -> LockSupport.parkNanos(5_000_000))
                    .build()
                    .on(transport)
                    .with(thread)
                    .start();
            for (int i = 0; i < 300; i++) {
                running.inlet().send(new byte[1]);
            }

            ChainStatus status = running.status();

            assertThat(status.isComplete()).isTrue();
            assertThat(status.blocked()).isEmpty();
            running.close(Duration.ofMillis(1));
        }
    }

    @Test
    void closeThatCallbackHoldsUpNamesIt() throws InterruptedException {
        CountDownLatch isHeld = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (Loops thread = Loops.cooperative(1)) {
            running = Chain.named("c")
                    .then("price", () -> (in, out) -> {
                        isHeld.countDown();
                        release.await();
                    })
                    .build()
                    .on(transport)
                    .with(thread)
                    .start();
            Closing.watch(((ChainRun) running).sections(), 1);
            running.inlet().send(new byte[1]);
            isHeld.await();
            assertThat(Closing.heldUpBy(((ChainRun) running).sections(), 5_000_002))
                    .as("a short call")
                    .isEmpty();
            assertThat(Closing.heldUpBy(((ChainRun) running).sections(), 505_000_002))
                    .isEqualTo("; 'price' has held its loop up for 500 ms");
            release.countDown();
            running.close();
        }
    }

    @Test
    void unstoredOutputsAgeUntilStored() {
        transport.storesLate = true;
        running = two().on(transport).with(loops).start();
        running.inlet().send(new byte[1]);
        loops.turn();
        PartStatus one = running.status().parts().get(0);
        assertThat(one.output().stored()).isZero();
        assertThat(one.output().unstoredNanos())
                .as("age of the oldest output not stored")
                .isPositive();
        loops.turn();
        PartStatus later = running.status().parts().get(0);
        assertThat(later.output().unstoredNanos()).isGreaterThan(one.output().unstoredNanos());
        assertThat(later.idleNanos()).as("time since the last work").isPositive();
        transport.store();
        loops.turn();
        assertThat(running.status().parts().get(0).output().unstoredNanos()).isZero();
    }

    @Test
    void unreadInputsAgeUntilRead() {
        transport.knowsBacklog = true;
        running = two().on(transport).with(loops).batch(1).start();
        running.inlet().send(new byte[1]);
        loops.turn();
        assertThat(running.status().parts().get(0).input().unreadNanos())
                .as("nothing is there")
                .isZero();

        running.inlet().send(new byte[1]);
        long sent = System.nanoTime();
        running.inlet().send(new byte[1]);
        loops.turn();
        PartStatus one = running.status().parts().get(0);
        assertThat(one.input().backlog()).isEqualTo(1);
        assertThat(one.input().unreadNanos())
                .as("age of the input before it")
                .isBetween(1L, System.nanoTime() - sent + 1_000_000_000L);

        loops.turn();
        assertThat(running.status().parts().get(0).input().unreadNanos()).isZero();
    }

    @Test
    void inputThatComesAgainIsOldestOne() {
        transport.knowsBacklog = true;
        boolean[] isBroken = {true};
        running = Chain.named("c")
                .then("one", () -> (in, out) -> {
                    if (isBroken[0]) {
                        throw new IllegalStateException("not yet");
                    }
                })
                .build()
                .on(transport)
                .with(loops)
                .onError(ErrorPolicy.retry(Integer.MAX_VALUE))
                .start();
        running.inlet().send(new byte[1]);
        loops.turn();
        long before = running.status().parts().get(0).input().unreadNanos();
        loops.turn();
        assertThat(before).isPositive();
        assertThat(running.status().parts().get(0).input().unreadNanos()).isGreaterThan(before);

        isBroken[0] = false;
        loops.turn();
        assertThat(running.status().parts().get(0).input().unreadNanos()).isZero();
    }

    @Test
    void partIsIdleSinceLastTurnWithWork() {
        running = two().on(transport).with(loops).start();
        running.inlet().send(new byte[1]);
        loops.turn();
        assertThat(running.status().parts().get(0).idleNanos()).as("at work").isZero();
        loops.turn();
        long idle = running.status().parts().get(0).idleNanos();
        assertThat(running.status().parts().get(0).idleNanos())
                .as("time since the last work")
                .isGreaterThan(idle);
    }

    @Test
    void successiveFiguresComeFromOneAnswer() {
        running = two().on(transport).with(loops).start();
        ChainStatus first = running.status(Duration.ofHours(1));
        assertThat(running.status(Duration.ofHours(1))).isSameAs(first);
        assertThat(running.status(Duration.ZERO)).isNotSameAs(first);
    }

    @Test
    void aSourceTellsWhatItHasSent() {
        running = Chain.named("c")
                .build()
                .on(transport)
                .with(loops)
                .from(out -> out.sequence() == 0 ? send(out) : 0)
                .start();
        loops.turn();
        loops.turn();

        PartStatus source = running.status().parts().get(0);
        assertThat(source.name()).isEqualTo(PartStatus.SOURCE);
        assertThat(source.input()).isNull();
        assertThat(source.output().sent()).isEqualTo(1);
    }

    @Test
    void restartedSenderLearnsItsProgress() {
        running = two().on(transport).with(loops).start();
        assertThat(running.inlet().sequence()).isZero();
        running.inlet().send(new byte[1]);
        running.close();

        running = two().on(transport).with(loops).start();
        assertThat(running.inlet().sequence()).isEqualTo(1);
        assertThat(running.inlet().storedSequence()).isEqualTo(1);
        running.inlet().send(new byte[1]);
        assertThat(running.inlet().sequence()).isEqualTo(2);
    }

    @Test
    void jmxShowsChainUntilItIsTakenAway() throws Exception {
        running = two().on(transport).with(loops).start();
        running.inlet().send(new byte[1]);
        loops.turn();
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();

        ManagedChain managed = ManagedChain.register(running, 7);

        ObjectName name = new ObjectName("dev.baton:type=Chain,name=c,instance=7");
        assertThat(new ObjectName(managed.name())).isEqualTo(name);
        assertThat(server.getAttribute(name, "Phase")).isEqualTo("RUNNING");
        assertThat(server.getAttribute(name, "LastError")).isEqualTo("");
        CompositeData[] parts = (CompositeData[]) server.getAttribute(name, "Parts");
        assertThat(parts).hasSize(2);
        assertThat(parts[0].get("name")).isEqualTo("one");
        assertThat(parts[0].get("consumed")).isEqualTo(1L);
        assertThat(parts[0].get("unstoredMillis")).isEqualTo(0L);
        assertThat((long) parts[0].get("idleMillis")).isNotNegative();
        assertThat(server.getAttribute(name, "Blocked")).isEqualTo("");
        assertThat(server.getAttribute(name, "BlockedMillis")).isEqualTo(0L);
        assertThatThrownBy(() -> ManagedChain.register(running, 7))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("cannot register " + managed.name() + " with JMX: another chain of this JVM has the name;"
                        + " register this one with another instance number, or give it another name, which for a tap"
                        + " is its consumer name; or first close the other registration");
        managed.close();
        managed.close();
        assertThat(server.isRegistered(name)).isFalse();
    }

    @Test
    void laterJmxRegistrationOutlivesEarlierCloses() {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        running = two().on(transport).with(loops).start();
        ManagedChain first = ManagedChain.register(running, 10);
        first.close();
        running.close();

        running = two().on(transport).with(loops).start();
        try (ManagedChain second = ManagedChain.register(running, 10)) {
            first.close();
            assertThat(isRegistered(server, second.name())).isTrue();
        }
        assertThat(isRegistered(server, first.name())).isFalse();

        StorageWatch watch = StorageWatch.of("status-test", Optional::empty);
        ManagedStorage earlier = ManagedStorage.register(watch);
        earlier.close();
        try (ManagedStorage later = ManagedStorage.register(watch)) {
            earlier.close();
            assertThat(isRegistered(server, later.name())).isTrue();
        }
        assertThat(isRegistered(server, earlier.name())).isFalse();
    }

    private static boolean isRegistered(MBeanServer server, String name) {
        try {
            return server.isRegistered(new ObjectName(name));
        } catch (JMException invalid) {
            throw new AssertionError(invalid);
        }
    }

    @Test
    void monitorsOfSeveralAttributesAskTheLoopSeldom() throws Exception {
        running = two().on(transport).with(loops).start();
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        try (ManagedChain managed = ManagedChain.register(running, 8)) {
            ObjectName name = new ObjectName(managed.name());
            for (int i = 0; i < 100; i++) {
                server.getAttribute(name, "Backlog");
                server.getAttribute(name, "Parts");
            }
        }
        assertThat(transport.backlogsAsked)
                .as("questions to the loop's two readers by 200 reads of attributes")
                .isBetween(2, 40);
    }

    private static int send(Outlet out) {
        out.claim(0).commit(0);
        return 1;
    }

    private static Chain two() {
        return Chain.named("c").then("one", () -> PASS).then("two", () -> PASS).build();
    }
}
