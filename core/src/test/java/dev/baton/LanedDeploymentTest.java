package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.run.Loops;
import dev.baton.spi.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** What chains with lanes do and refuse, over a transport that cannot share them. */
class LanedDeploymentTest {
    private static final int LANES = 3;

    private final HostileTransport transport = new HostileTransport();
    private final Chain chain = Chain.named("c")
            .then("s1", () -> (in, out) -> out.forward(in))
            .then("s2", () -> (in, out) -> out.forward(in))
            .build();
    private final List<LaneChange> changes = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();

    @Test
    void everyLaneIsAChainOverTopicsOfItsOwn() {
        List<Long> received = new ArrayList<>();
        try (Loops loops = Loops.manual()) {
            RunningLanes running = chain.on(transport)
                    .with(loops)
                    .onOutput(in -> received.add(in.getLong(0)))
                    .lanes(LANES)
                    .onLane(changes::add)
                    .start();
            send(running, 1, 6);
            assertThat(running.close(Duration.ofSeconds(5))).isTrue();
        }
        assertThat(received).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(transport.topics())
                .contains("c-0@0", "c-0@1", "c-0@2", "c-2@2")
                .doesNotContain("c-0");
        for (int lane = 0; lane < LANES; lane++) {
            int mine = lane;
            assertThat(transport.frames("c-2@" + lane))
                    .allMatch(frame -> Lanes.of(LANES).laneOf(frame.getLong(0)) == mine);
        }
        assertThat(changes)
                .containsExactly(
                        change(0, LaneChange.Kind.TAKEN),
                        change(1, LaneChange.Kind.TAKEN),
                        change(2, LaneChange.Kind.TAKEN),
                        change(0, LaneChange.Kind.GIVEN_UP),
                        change(1, LaneChange.Kind.GIVEN_UP),
                        change(2, LaneChange.Kind.GIVEN_UP));
        assertThat(transport.openConnections).isZero();
    }

    @Test
    void theInletsOfAllLanesShareOneConnection() {
        try (Loops loops = Loops.manual();
                RunningLanes running =
                        chain.on(transport).with(loops).only().lanes(LANES).start()) {
            for (int lane = 0; lane < LANES; lane++) {
                running.inlet().lane(lane).send(new byte[8]);
            }
            assertThat(transport.openConnections).isEqualTo(1);
        }
        assertThat(transport.openConnections).isZero();
    }

    @Test
    void statusNamesTheLaneOfEachPart() {
        try (Loops loops = Loops.manual();
                RunningLanes running =
                        chain.on(transport).with(loops).only("s2").lanes(2).start()) {
            assertThat(running.status().phase()).isEqualTo(ChainStatus.Phase.RUNNING);
            assertThat(running.status().parts()).extracting(PartStatus::input).containsExactly("c-1@0", "c-1@1");
            assertThat(running.held()).containsExactly(0, 1);
        }
    }

    @Test
    void aLaneThatIsLostIsNotAcknowledgedAndAnotherThatIsGivenUpIsDrained() {
        transport.createTopics(List.of("c-0@0", "c-1@0", "c-2@0", "c-0@1", "c-1@1", "c-2@1"));
        transport.storesLate = true;
        try (Loops loops = Loops.manual()) {
            HeldLanes held = held(loops);
            held.take(Set.of(0, 1));
            write("c-0@0");
            write("c-0@1");
            loops.turn();
            held.lose(Set.of(0));
            transport.store();
            held.giveUp(Set.of(1));
            assertThat(held.running()).isEmpty();
        }
        assertThat(transport.topic("c-0@0").acknowledged).containsEntry("s1", 0L);
        assertThat(transport.topic("c-0@1").acknowledged).containsEntry("s1", 1L);
        assertThat(changes)
                .containsExactly(
                        change(0, LaneChange.Kind.TAKEN),
                        change(1, LaneChange.Kind.TAKEN),
                        change(0, LaneChange.Kind.LOST),
                        change(1, LaneChange.Kind.GIVEN_UP));
        assertThat(failures).isEmpty();
        assertThat(transport.openReaders).isZero();
    }

    @Test
    void aLaneThatCannotPassOnWhatIsInHandIsCutOff() {
        transport.createTopics(List.of("c-0@0", "c-1@0", "c-2@0"));
        transport.storesLate = true;
        try (Loops loops = Loops.manual()) {
            HeldLanes held = held(loops);
            held.take(Set.of(0));
            write("c-0@0");
            loops.turn();
            held.giveUpWithin(Duration.ZERO);
            held.giveUp(Set.of(0));
            assertThat(held.isCutOff()).isTrue();
        }
        assertThat(changes).last().isEqualTo(change(0, LaneChange.Kind.CUT_OFF));
        assertThat(transport.topic("c-0@0").acknowledged).containsEntry("s1", 0L);
    }

    @Test
    void aLaneThatStandsStillTakesNoTimeFromTheOthers() throws InterruptedException {
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
            RunningLanes running = stuck.on(transport)
                    .with(loops)
                    .lanes(4)
                    .onLane(changes::add)
                    .start();
            for (int lane = 0; lane < 4; lane++) {
                running.inlet().lane(lane).send(new byte[] {(byte) lane, 0, 0, 0, 0, 0, 0, 0});
            }
            assertThat(isStuck.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(running.close(Duration.ofMillis(500))).isFalse();
        }
        assertThat(changes)
                .as("lanes cut off, and lanes given up in time beside one that stands still")
                .filteredOn(change -> change.kind() != LaneChange.Kind.TAKEN)
                .containsExactly(
                        change(0, LaneChange.Kind.CUT_OFF),
                        change(1, LaneChange.Kind.GIVEN_UP),
                        change(2, LaneChange.Kind.GIVEN_UP),
                        change(3, LaneChange.Kind.GIVEN_UP));
    }

    @Test
    void aLaneThatCannotBeOpenedIsReportedOnceAndTheOthersAreTaken() {
        transport.createTopics(List.of("c-0@1", "c-1@1", "c-2@1")); // none of lane 0
        try (Loops loops = Loops.manual()) {
            HeldLanes held = held(loops);
            held.take(Set.of(0, 1));
            assertThat(held.running()).containsOnlyKeys(1);
            assertThat(failures).hasSize(1);
            assertThat(held.failure()).isSameAs(failures.get(0));
            held.fail(new TransportException("thrown out"));
            assertThat(failures).last().hasToString("dev.baton.spi.TransportException: thrown out");
            held.lose(Set.of(1));
        }
    }

    @Test
    void whatCannotBeIsRefusedInWords() {
        try (Loops loops = Loops.manual()) {
            LanedDeployment lanes = chain.on(transport).with(loops).lanes(LANES);
            assertThatThrownBy(() -> lanes.member("a b")).hasMessageContaining("member name 'a b'");
            assertThatThrownBy(() -> lanes.sessionTimeout(Duration.ofMillis(10)))
                    .hasMessage("session timeout of 10 ms; 500 to 1800000 ms is allowed");
            assertThatThrownBy(() -> lanes.giveUpWithin(Duration.ofMillis(-1))).hasMessageContaining("-1 ms");
            assertThatThrownBy(() -> lanes.member("a").start())
                    .hasMessageContaining("transport hostile cannot share lanes between processes")
                    .hasMessageContaining("'a'");
            assertThatThrownBy(() -> chain.on(transport)
                            .with(loops)
                            .from(out -> 0)
                            .lanes(LANES)
                            .start())
                    .hasMessageContaining("a source feeds one topic");
            assertThatThrownBy(() -> chain.on(transport).lanes(LANES).start()).hasMessageContaining("no loops");
            assertThatThrownBy(() -> chain.on(transport).lanes(0)).hasMessageContaining("0 lanes");
        }
        assertThat(transport.topics()).isEmpty();
    }

    @Test
    void closedLanesHaveNoEntrance() {
        try (Loops loops = Loops.manual()) {
            RunningLanes running =
                    chain.on(transport).with(loops).only().lanes(LANES).start();
            Inlet inlet = running.inlet().lane(0);
            inlet.send(new byte[8]);
            running.close();
            assertThat(running.close(Duration.ZERO)).as("again").isTrue();
            assertThatThrownBy(() -> inlet.send(new byte[8])).hasMessageContaining("closed");
            assertThatThrownBy(running::inlet).hasMessageContaining("closed");
            assertThat(running.status().phase()).isEqualTo(ChainStatus.Phase.CLOSED);
        }
    }

    private HeldLanes held(Loops loops) {
        Deployment deployment = chain.on(transport).with(loops).only("s1");
        IntFunction<String> topics = index -> chain.topic(0, index);
        return new HeldLanes(
                "c",
                loops.environment(),
                failed -> lane -> deployment.start(
                        index -> topics.apply(index) + "@" + lane, failed, new Entrance(transport, loops)),
                changes::add,
                failures::add,
                Duration.ofSeconds(2));
    }

    private void write(String topic) {
        byte[] frame = new byte[dev.baton.spi.Frame.HEADER_BYTES + 8];
        HostileTransport.view(frame).stamp(0, 0, 0, 1, 1);
        HostileTransport.view(frame).sequence(1);
        transport.topic(topic).add(frame);
    }

    private static void send(RunningLanes running, long from, long to) {
        for (long key = from; key <= to; key++) {
            byte[] bytes = new byte[8];
            bytes[0] = (byte) key;
            running.inlet().of(key).send(bytes);
        }
    }

    private static LaneChange change(int lane, LaneChange.Kind kind) {
        return new LaneChange(lane, kind);
    }
}
