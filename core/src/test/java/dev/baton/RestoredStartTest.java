package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.state.SnapshotInput;
import dev.baton.state.SnapshotOutput;
import dev.baton.state.SnapshotPolicy;
import dev.baton.state.UnknownSnapshotVersionException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A start is done when every service has restored its state, or fails with the reason. */
@Timeout(60)
class RestoredStartTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    enum Threading {
        MANUAL(Loops::manual),
        ONE_LOOP(() -> Loops.cooperative(1)),
        TWO_LOOPS(() -> Loops.cooperative(2)),
        PER_SERVICE(Loops::threadPerService);

        private final Supplier<Loops> loops;

        Threading(Supplier<Loops> loops) {
            this.loops = loops;
        }
    }

    private final HostileTransport transport = new HostileTransport();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final List<Throwable> reported = new CopyOnWriteArrayList<>();
    private final CountDownLatch gate = new CountDownLatch(1);
    private volatile int version;
    private volatile boolean waits;

    /** A sum that saves itself in the version of its build, and restores no other one. */
    private final class Sum implements StatefulService {
        private long sum;

        @Override
        public void onMessage(Message in, Outlet out) {
            sum += in.getLong(0);
            out.claim(8).putLong(0, sum).commit(8);
        }

        @Override
        public int snapshotVersion() {
            return version;
        }

        @Override
        public boolean saveState(SnapshotOutput out) {
            out.putLong(sum);
            return true;
        }

        @Override
        public void restoreState(SnapshotInput in, int found) throws InterruptedException {
            if (waits && !gate.await(LONG.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("never opened");
            }
            if (found != version) {
                throw new UnknownSnapshotVersionException(found, version);
            }
            sum = in.getLong();
            events.add("restored " + sum);
        }
    }

    @ParameterizedTest
    @EnumSource
    void statesAreRestoredWhenStartReturns(Threading threading) {
        run(1, 2, 3);
        try (Loops loops = threading.loops.get();
                RunningChain running = deployment(loops).start()) {
            assertThat(events).containsExactly("restored 6");
            assertThat(running.status().parts().get(0).snapshots().isRestoring())
                    .isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anUnknownSnapshotVersionFailsTheStart(Threading threading) {
        run(1, 2, 3);
        version = 2;
        try (Loops loops = threading.loops.get()) {
            assertThatThrownBy(() -> deployment(loops).start())
                    .isInstanceOf(ServiceFailure.class)
                    .hasMessageContaining("sum")
                    .hasCauseInstanceOf(UnknownSnapshotVersionException.class);
            assertThat(reported).isEmpty();
            assertThat(transport.openConnections).isZero();
            assertThat(transport.openReaders).isZero();
            version = 0;
            deployment(loops).start().close();
            assertThat(events).containsExactly("restored 6");
        }
    }

    @Test
    void theWaitForAStateIsBounded() {
        run(1);
        waits = true;
        try (Loops loops = Loops.cooperative(1)) {
            assertThatThrownBy(() ->
                            deployment(loops).openWithin(Duration.ofMillis(500)).start())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("chain c", "the state of sum", "within 500 ms", "openWithin");
            gate.countDown();
        }
    }

    @Test
    void manualLoopStopsWaitingForAbsentState() {
        run(1);
        transport.withholdsFrames = true;
        try (Loops loops = Loops.manual()) {
            assertThatThrownBy(() ->
                            deployment(loops).openWithin(Duration.ofMillis(20)).start())
                    .hasMessageContainingAll("the state of sum", "within 20 ms");
        }
    }

    @Test
    void aManualLoopDeliversNothingDuringTheStart() {
        run(1);
        transport.write("c-0", 2, 2);
        try (Loops loops = Loops.manual();
                RunningChain running = deployment(loops).start()) {
            events.clear();
            assertThat(transport.frames("c-1")).hasSize(1);
            while (events.isEmpty()) {
                loops.turn();
            }
            assertThat(events).containsExactly("out 3");
            assertThat(running.failure()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MANUAL", "ONE_LOOP"})
    void startInTurnOfItsLoopReturns(Threading threading) {
        run(1);
        transport.createTopics(List.of("outer-0"));
        transport.write("outer-0", 1, 1);
        try (Loops loops = threading.loops.get()) {
            RunningChain[] inner = new RunningChain[1];
            Chain outer = Chain.named("outer")
                    .then("starter", () -> (in, out) -> {
                        inner[0] = deployment(loops).start();
                        events.add("returned");
                    })
                    .build();
            try (RunningChain running = outer.on(transport).with(loops).start()) {
                long end = System.nanoTime() + LONG.toNanos();
                while (!events.contains("restored 1") && System.nanoTime() < end) {
                    if (threading == Threading.MANUAL) {
                        loops.turn();
                    } else {
                        LockSupport.parkNanos(100_000);
                    }
                }
                assertThat(events).containsExactly("returned", "restored 1");
                assertThat(running.failure()).isEmpty();
            }
            inner[0].close();
        }
    }

    @Test
    void firstRunOfRestartingChainFailsItsStart() {
        run(1);
        version = 2;
        try (Loops loops = Loops.cooperative(1)) {
            Deployment supervised = deployment(loops).restart(policy());
            assertThatThrownBy(supervised::start).hasCauseInstanceOf(UnknownSnapshotVersionException.class);
            assertThat(transport.openConnections).isZero();
            version = 0;
            try (RunningChain running = supervised.start()) {
                assertThat(events).containsExactly("restored 1");
                assertThat(running.restarts()).isZero();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MANUAL", "ONE_LOOP", "TWO_LOOPS"})
    void everyPartitionHasItsStateWhenStartReturns(Threading threading) {
        try (Loops loops = threading.loops.get()) {
            try (RunningChain running = deployment(loops).partitions(3).start()) {
                for (int partition = 0; partition < 3; partition++) {
                    running.inlet(partition).send(bytes(1));
                }
                assertThat(running.close(LONG)).isTrue();
            }
            events.clear();
            try (RunningChain running = deployment(loops).partitions(3).start()) {
                assertThat(events).containsExactly("restored 1", "restored 1", "restored 1");
                assertThat(running.failure()).isEmpty();
            }
            version = 2;
            assertThatThrownBy(() -> deployment(loops).partitions(3).start())
                    .hasCauseInstanceOf(UnknownSnapshotVersionException.class);
            assertThat(reported).isEmpty();
            assertThat(transport.openReaders).isZero();
        }
    }

    @Test
    void restartedPartitionsFailTheirFirstStartToo() {
        try (Loops loops = Loops.cooperative(1)) {
            try (RunningChain running =
                    deployment(loops).partitions(2).restart(policy()).start()) {
                running.inlet(1).send(bytes(1));
                assertThat(running.close(LONG)).isTrue();
            }
            version = 2;
            assertThatThrownBy(() ->
                            deployment(loops).partitions(2).restart(policy()).start())
                    .hasCauseInstanceOf(UnknownSnapshotVersionException.class);
            assertThat(transport.openConnections).isZero();
            version = 0;
            events.clear();
            try (RunningChain running =
                    deployment(loops).partitions(2).restart(policy()).start()) {
                assertThat(events).containsExactly("restored 1");
                assertThat(running.failure()).isEmpty();
            }
        }
    }

    @BeforeEach
    void hasRoom() {
        transport.room = 1_000;
    }

    private static RestartPolicy policy() {
        return RestartPolicy.backoff(Duration.ofMillis(1), Duration.ofMillis(1)).afterServiceFailures();
    }

    private void run(long... values) {
        try (Loops loops = Loops.manual();
                RunningChain running = deployment(loops).start()) {
            for (long value : values) {
                running.inlet().send(bytes(value));
                loops.turn();
                loops.turn();
            }
            assertThat(running.close(LONG)).isTrue();
        }
        events.clear();
        reported.clear();
    }

    private Deployment deployment(Loops loops) {
        return Chain.named("c")
                .then("sum", Sum::new)
                .then("pass", () -> (in, out) -> out.forward(in))
                .build()
                .on(transport)
                .with(loops)
                .onFailure(reported::add)
                .snapshots(SnapshotPolicy.standard().orInputs(1))
                .onOutput(in -> events.add("out " + in.getLong(0)));
    }

    private static byte[] bytes(long value) {
        return new byte[] {(byte) value, 0, 0, 0, 0, 0, 0, 0};
    }
}
