package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.engine.AssignedPartitions;
import dev.baton.engine.ChainStart;
import dev.baton.engine.RunSettings;
import dev.baton.engine.loop.LoopPool;
import dev.baton.engine.plan.ChainPlan;
import dev.baton.fixtures.HostileTransport;
import dev.baton.partitions.Partitions;
import dev.baton.partitions.Partitions.PartitionChange;
import dev.baton.run.Loops;
import dev.baton.spi.errors.TransportException;
import dev.baton.status.ChainStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What chains with partitions do and refuse, over a transport that cannot share them. */
class PartitionedDeploymentTest {
    private static final int PARTITIONS = 3;

    private final HostileTransport transport = new HostileTransport();
    private final Chain chain = Chain.named("c")
            .then("s1", () -> (in, out) -> out.forward(in))
            .then("s2", () -> (in, out) -> out.forward(in))
            .build();
    private final List<PartitionChange> changes = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();

    @Test
    void partitionsAreChainsOverTheirOwnTopics() {
        List<Long> received = new ArrayList<>();
        try (Loops loops = Loops.manual()) {
            RunningChain running = chain.on(transport)
                    .with(loops)
                    .onOutput(in -> received.add(in.getLong(0)))
                    .partitions(PARTITIONS)
                    .onPartition(changes::add)
                    .start();
            send(running, 1, 6);
            assertThat(running.close(Duration.ofSeconds(5))).isTrue();
        }
        assertThat(received).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(transport.topics())
                .contains("c-0@0", "c-0@1", "c-0@2", "c-2@2")
                .doesNotContain("c-0");
        for (int partition = 0; partition < PARTITIONS; partition++) {
            int mine = partition;
            assertThat(transport.frames("c-2@" + partition))
                    .allMatch(frame -> Partitions.of(PARTITIONS).partitionOf(frame.getLong(0)) == mine);
        }
        assertThat(changes)
                .containsExactly(
                        change(0, PartitionChange.Kind.ASSIGNED),
                        change(1, PartitionChange.Kind.ASSIGNED),
                        change(2, PartitionChange.Kind.ASSIGNED),
                        change(0, PartitionChange.Kind.REVOKED),
                        change(1, PartitionChange.Kind.REVOKED),
                        change(2, PartitionChange.Kind.REVOKED));
        assertThat(transport.openConnections).isZero();
    }

    @Test
    void inletsOfPartitionsBelongToDifferentThreads() {
        try (Loops loops = Loops.manual();
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .only()
                        .partitions(PARTITIONS)
                        .start()) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                Inlet inlet = running.inlet(partition);
                CompletableFuture.runAsync(() -> inlet.send(new byte[8])).join();
                assertThat(transport.topic("c-0@" + partition).size()).isEqualTo(1);
            }
        }
        assertThat(transport.openConnections).isZero();
    }

    @Test
    void statusNamesThePartitionOfEachPart() {
        try (Loops loops = Loops.manual();
                RunningChain running =
                        chain.on(transport).with(loops).only("s2").partitions(2).start()) {
            assertThat(running.status().phase()).isEqualTo(ChainStatus.Phase.RUNNING);
            assertThat(running.status().parts())
                    .extracting(each -> each.input().topic())
                    .containsExactly("c-1@0", "c-1@1");
            assertThat(running.held()).containsExactly(0, 1);
        }
    }

    @Test
    void lostPartitionIsUnacknowledgedReleasedOneIsDrained() {
        transport.createTopics(List.of("c-0@0", "c-1@0", "c-2@0", "c-0@1", "c-1@1", "c-2@1"));
        transport.storesLate = true;
        try (Loops loops = Loops.manual()) {
            AssignedPartitions held = held(loops);
            held.assigned(Set.of(0, 1));
            write("c-0@0");
            write("c-0@1");
            loops.turn();
            held.lost(Set.of(0));
            transport.store();
            held.revoked(Set.of(1));
            assertThat(held.running()).isEmpty();
        }
        assertThat(transport.topic("c-0@0").acknowledged).containsEntry("s1", 0L);
        assertThat(transport.topic("c-0@1").acknowledged).containsEntry("s1", 1L);
        assertThat(changes)
                .containsExactly(
                        change(0, PartitionChange.Kind.ASSIGNED),
                        change(1, PartitionChange.Kind.ASSIGNED),
                        change(0, PartitionChange.Kind.LOST),
                        change(1, PartitionChange.Kind.REVOKED));
        assertThat(failures).isEmpty();
        assertThat(transport.openReaders).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void errorOfTheListenerKeepsNoPartition(boolean areLost) {
        transport.createTopics(List.of("c-0@0", "c-1@0", "c-2@0", "c-0@1", "c-1@1", "c-2@1"));
        try (Loops loops = Loops.manual()) {
            AssignedPartitions held = held(loops, change -> {
                changes.add(change);
                if (change.kind() != PartitionChange.Kind.ASSIGNED) {
                    throw new AssertionError("listener");
                }
            });
            held.assigned(Set.of(0, 1));
            if (areLost) {
                held.lost(Set.of(0, 1));
            } else {
                held.revoked(Set.of(0, 1));
            }
            assertThat(held.running()).isEmpty();
        }
        PartitionChange.Kind kind = areLost ? PartitionChange.Kind.LOST : PartitionChange.Kind.REVOKED;
        assertThat(changes).endsWith(change(0, kind), change(1, kind));
        assertThat(failures).as("of the chain").isEmpty();
    }

    @Test
    void partitionThatCannotDrainIsCutOff() {
        transport.createTopics(List.of("c-0@0", "c-1@0", "c-2@0"));
        transport.storesLate = true;
        try (Loops loops = Loops.manual()) {
            AssignedPartitions held = held(loops);
            held.assigned(Set.of(0));
            write("c-0@0");
            loops.turn();
            held.revokeTimeout(Duration.ZERO);
            held.revoked(Set.of(0));
            assertThat(held.isCutOff()).isTrue();
        }
        assertThat(changes).last().isEqualTo(change(0, PartitionChange.Kind.CUT_OFF));
        assertThat(transport.topic("c-0@0").acknowledged).containsEntry("s1", 0L);
    }

    @Test
    void stalledPartitionTakesNoTimeFromOthers() throws InterruptedException {
        CountDownLatch isStuck = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Chain stuck = Chain.named("c")
                .then("s1", () -> (in, out) -> {
                    if (in.getLong(0) == 0) {
                        isStuck.countDown();
                        assertThat(never.await(2, TimeUnit.SECONDS)).isFalse();
                    }
                    out.forward(in);
                })
                .build();
        try (Loops loops = Loops.cooperative(4)) {
            RunningChain running = stuck.on(transport)
                    .with(loops)
                    .partitions(4)
                    .onPartition(changes::add)
                    .start();
            for (int partition = 0; partition < 4; partition++) {
                running.inlet(partition).send(new byte[] {(byte) partition, 0, 0, 0, 0, 0, 0, 0});
            }
            assertThat(isStuck.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(running.close(Duration.ofMillis(500))).isFalse();
        }
        assertThat(changes)
                .as("partitions cut off, and partitions given up in time beside one that stands still")
                .filteredOn(change -> change.kind() != PartitionChange.Kind.ASSIGNED)
                .containsExactly(
                        change(0, PartitionChange.Kind.CUT_OFF),
                        change(1, PartitionChange.Kind.REVOKED),
                        change(2, PartitionChange.Kind.REVOKED),
                        change(3, PartitionChange.Kind.REVOKED));
    }

    @Test
    void eachPartitionThatFailsDuringStartIsReported() {
        transport.createTopics(List.of("c-0@0", "c-1@0", "c-2@0", "c-0@1", "c-1@1", "c-2@1"));
        write("c-0@0");
        write("c-0@1");
        Chain failing = Chain.named("c")
                .then("s1", () -> (in, out) -> {
                    throw new IllegalStateException("in " + in.topic());
                })
                .then("s2", () -> (in, out) -> out.forward(in))
                .build();
        try (Loops loops = Loops.manual();
                RunningChain running = failing.on(transport)
                        .with(loops)
                        .partitions(2)
                        .onPartition(change -> loops.turn())
                        .onFailure(failures::add)
                        .start()) {
            assertThat(running.failure()).isPresent();
            assertThat(failures)
                    .extracting(each -> each.getCause().getMessage())
                    .containsExactly("in c-0@0", "in c-0@1");
        }
    }

    @Test
    void failedPartitionIsReportedOnceOthersAreTaken() {
        transport.createTopics(List.of("c-0@1", "c-1@1", "c-2@1")); // none of partition 0
        try (Loops loops = Loops.manual()) {
            AssignedPartitions held = held(loops);
            held.assigned(Set.of(0, 1));
            assertThat(held.running()).containsOnlyKeys(1);
            assertThat(failures).hasSize(1);
            assertThat(held.failure()).isSameAs(failures.get(0));
            held.failed(new TransportException("thrown out"));
            assertThat(failures).last().hasToString("dev.baton.spi.errors.TransportException: thrown out");
            held.lost(Set.of(1));
        }
    }

    @Test
    void whatCannotBeIsRefusedInWords() {
        try (Loops loops = Loops.manual()) {
            Deployment partitions = chain.on(transport).with(loops).partitions(PARTITIONS);
            assertThatThrownBy(() -> partitions.member("a b")).hasMessageContaining("member name 'a b'");
            assertThatThrownBy(() -> partitions.sessionTimeout(Duration.ofMillis(10)))
                    .hasMessage("session timeout of 10 ms; 500 to 1800000 ms is allowed");
            assertThatThrownBy(() -> partitions.revokeTimeout(Duration.ofMillis(-1)))
                    .hasMessageContaining("-1 ms");
            assertThatThrownBy(() -> partitions.member("a").start())
                    .hasMessageContaining("transport hostile cannot share partitions between processes")
                    .hasMessageContaining("'a'");
            assertThatThrownBy(() -> chain.on(transport)
                            .with(loops)
                            .from(out -> 0)
                            .partitions(PARTITIONS)
                            .start())
                    .hasMessageContaining("a source feeds one topic");
            assertThatThrownBy(() -> chain.on(transport).partitions(PARTITIONS).start())
                    .hasMessageContaining("no loops");
            assertThatThrownBy(() -> chain.on(transport).partitions(0)).hasMessageContaining("0 partitions");
        }
        assertThat(transport.topics()).isEmpty();
    }

    @Test
    void closedPartitionsHaveNoEntrance() {
        try (Loops loops = Loops.manual()) {
            RunningChain running = chain.on(transport)
                    .with(loops)
                    .only()
                    .partitions(PARTITIONS)
                    .start();
            Inlet inlet = running.inlet(0);
            inlet.send(new byte[8]);
            running.close();
            assertThat(running.close(Duration.ZERO)).as("again").isTrue();
            assertThatThrownBy(() -> inlet.send(new byte[8])).hasMessageContaining("closed");
            assertThatThrownBy(() -> running.inlet(0)).hasMessageContaining("closed");
            assertThatThrownBy(running::inlet).hasMessageContaining("has 3 partitions; send through sharedInlet(...)");
            assertThat(running.status().phase()).isEqualTo(ChainStatus.Phase.CLOSED);
        }
    }

    private AssignedPartitions held(Loops loops) {
        return held(loops, changes::add);
    }

    private AssignedPartitions held(Loops loops, Consumer<PartitionChange> onPartition) {
        RunSettings settings = new RunSettings();
        settings.loops = LoopPool.of(loops);
        settings.only = Set.of("s1");
        ChainStart start = new ChainStart(
                new ChainPlan(
                        "c", null, List.of(new ChainPlan.Step("s1", () -> (in, out) -> out.forward(in), null, null))),
                transport,
                settings);
        return new AssignedPartitions(
                "c",
                loops.environment(),
                failed -> partition ->
                        start.open(topic -> topic + "@" + partition, failed, start.created(), failure -> {}),
                onPartition,
                failures::add,
                null,
                Duration.ofSeconds(2));
    }

    private void write(String topic) {
        byte[] frame = new byte[dev.baton.spi.Frame.HEADER_BYTES + 8];
        HostileTransport.view(frame).stamp(0, 0, 0, 1, 1);
        HostileTransport.view(frame).sequence(1);
        transport.topic(topic).add(frame);
    }

    private static void send(RunningChain running, long from, long to) {
        for (long key = from; key <= to; key++) {
            byte[] bytes = new byte[8];
            bytes[0] = (byte) key;
            running.inlet(Partitions.of(PARTITIONS).partitionOf(key)).send(bytes);
        }
    }

    private static PartitionChange change(int partition, PartitionChange.Kind kind) {
        return new PartitionChange(partition, kind);
    }
}
