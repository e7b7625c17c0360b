package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.SharedInlet.Offer;
import dev.baton.engine.AssignedPartitions;
import dev.baton.engine.ChainStart;
import dev.baton.engine.RestartingPartitions;
import dev.baton.engine.RunSettings;
import dev.baton.engine.chain.GuardedListener;
import dev.baton.engine.cycle.SinkService;
import dev.baton.engine.loop.LoopPool;
import dev.baton.engine.plan.ChainPlan;
import dev.baton.fixtures.HostileTransport;
import dev.baton.partitions.Partitions.PartitionChange;
import dev.baton.run.Loops;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.status.ChainStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Chains that are opened again when they fail. */
@Timeout(20)
class SupervisedChainTest {
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final RestartPolicy SOON = RestartPolicy.backoff(SHORT, Duration.ofMillis(5));
    private static final RestartPolicy LATE = RestartPolicy.backoff(Duration.ofHours(1), Duration.ofHours(1));

    private final HostileTransport transport = new HostileTransport();
    private final List<Long> received = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final List<String> restarts = new CopyOnWriteArrayList<>();
    private final AtomicInteger services = new AtomicInteger();
    private final Loops loops = Loops.cooperative(1);
    private volatile long poison;
    private volatile RuntimeException thrown = new IllegalStateException("poison");

    SupervisedChainTest() {
        transport.room = 1_000;
    }

    private final ChainListener restartListener = new ChainListener() {
        @Override
        public void onRestart(String chain, int partition, int number, Duration pause, Throwable cause) {
            restarts.add(chain + " " + partition + " " + number + " " + pause + " " + cause.getMessage());
        }
    };

    @AfterEach
    void nothingIsLeft() {
        loops.close();
        await(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("baton-restart")));
        assertThat(transport.openConnections).isZero();
    }

    @Test
    void failedTransportIsReopenedAndInletContinues() {
        try (RunningChain chain = supervised(SOON)) {
            Inlet inlet = chain.inlet();
            send(inlet, 1, 2);
            await(() -> received.size() == 2);
            transport.backgroundFailure = new TransportException("the disk is away");
            await(() -> chain.restarts() > 2);
            assertThat(chain.status().phase()).isNotEqualTo(ChainStatus.Phase.FAILED);
            transport.backgroundFailure = null;
            send(inlet, 3);
            await(() -> received.size() == 3);
            assertThat(chain.lastFailure()).containsInstanceOf(TransportException.class);
            assertThat(chain.failure()).isEmpty();
            assertThat(inlet.sequence()).isEqualTo(3);
            assertThat(chain.status().phase()).isEqualTo(ChainStatus.Phase.RUNNING);
            assertThat(chain.close(Duration.ofSeconds(5))).isTrue();
            assertThat(chain.close(Duration.ZERO))
                    .as("what the first close answered")
                    .isTrue();
            assertThat(chain.status().phase()).isEqualTo(ChainStatus.Phase.CLOSED);
            assertThatThrownBy(() -> inlet.send(new byte[8])).hasMessageContaining("closed");
        }
        assertThat(received).containsExactly(1L, 2L, 3L);
        assertThat(failures).isEmpty();
        assertThat(restarts.get(0)).isEqualTo("c -1 1 PT0.001S the disk is away");
        assertThat(restarts.get(1)).isEqualTo("c -1 2 PT0.002S the disk is away");
        assertThat(services.get()).as("services made").isGreaterThan(2);
    }

    @Test
    void chainIsNotReopenedAfterDamagedFrame() {
        try (RunningChain ends = deployment().checksums(true).only().start()) {
            send(ends.inlet(), 1, 2); // no service reads them here
        }
        byte[] first = transport.topic("c-0").get(0);
        first[first.length - 1] ^= 1;

        try (RunningChain chain = supervised(SOON)) {
            await(() -> !failures.isEmpty());
            assertThat(chain.restarts()).isZero();
            assertThat(chain.failure()).containsInstanceOf(DamagedTopicException.class);
            assertThat(chain.status().phase()).isEqualTo(ChainStatus.Phase.FAILED);
        }
        assertThat(failures).singleElement().isInstanceOf(DamagedTopicException.class);
        assertThat(restarts).isEmpty();
    }

    @Test
    void claimEndsWithTheRunThatFails() {
        try (RunningChain chain = supervised(SOON)) {
            Inlet inlet = chain.inlet();
            Claim claim = inlet.tryClaim(8).putLong(0, 1);
            transport.backgroundFailure = new TransportException("the disk is away");
            await(() -> chain.restarts() > 2);
            transport.backgroundFailure = null;
            assertThatThrownBy(() -> claim.commit(8))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("its chain has failed", "claim again");
            send(inlet, 2);
            await(() -> received.size() == 1);
        }
        assertThat(received).containsExactly(2L);
    }

    @Test
    void messagesTakenDuringRestartAreSentAfterwards() throws Exception {
        try (RunningChain chain = supervised(SOON)) {
            SharedInlet inlet = chain.sharedInlet(10);
            assertThat(inlet.offerStored(bytes(1)).get(10, TimeUnit.SECONDS)).isEqualTo(1);
            transport.backgroundFailure = new TransportException("the disk is away");
            await(() -> chain.restarts() > 2);
            List<CompletableFuture<Long>> taken = new CopyOnWriteArrayList<>();
            for (int i = 2; i <= 11; i++) {
                taken.add(inlet.offerStored(bytes(i)));
            }
            assertThat(inlet.offer(bytes(12))).as("one more than its places").isEqualTo(Offer.FULL);
            transport.backgroundFailure = null;
            for (int i = 2; i <= 11; i++) {
                assertThat(taken.get(i - 2).get(10, TimeUnit.SECONDS)).isEqualTo(i);
            }
            await(() -> received.size() == 11);
        }
        assertThat(received).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L);
    }

    @Test
    void failedRunReportsSharedMessagesPossiblyNotStored() {
        try (RunningChain chain = supervised(SOON)) {
            SharedInlet inlet = chain.sharedInlet(10);
            transport.storesLate = true;
            CompletableFuture<Long> sent = inlet.offerStored(bytes(1));
            await(() -> received.size() == 1);
            TransportException away = new TransportException("the disk is away");
            transport.backgroundFailure = away;
            assertThatThrownBy(() -> sent.get(10, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(ChainFailedException.class)
                    .hasRootCause(away);
            transport.storesLate = false;
            transport.backgroundFailure = null;
            CompletableFuture<Long> next = inlet.offerStored(bytes(2));
            await(next::isDone);
            assertThat(next).isCompleted();
            assertThat(chain.failure()).isEmpty();
        }
    }

    @Test
    void closeBetweenRunsCompletesWaitingSharedMessages() {
        CompletableFuture<Long> waiting;
        SharedInlet inlet;
        try (RunningChain chain = supervised(LATE)) {
            inlet = chain.sharedInlet(10);
            transport.backgroundFailure = new TransportException("the disk is away");
            await(() -> chain.restarts() == 1);
            waiting = inlet.offerStored(bytes(1));
            assertThat(waiting).isNotDone();
        }
        assertThatThrownBy(waiting::get).hasCauseInstanceOf(ChainClosedException.class);
        assertThat(inlet.offer(bytes(2))).isEqualTo(Offer.CLOSED);
        assertThat(received).isEmpty();
    }

    @Test
    void finalStopCompletesWaitingSharedMessages() {
        poison = 1;
        try (RunningChain chain = supervised(SOON)) {
            SharedInlet inlet = chain.sharedInlet(10);
            inlet.offer(bytes(1));
            await(() -> chain.failure().isPresent());
            await(() -> inlet.offerStored(bytes(2)).isCompletedExceptionally());
            assertThatThrownBy(() -> inlet.offer(bytes(3))).isInstanceOf(ChainFailedException.class);
        }
    }

    @Test
    void chainThatRestartsHasOneInletAtMost() {
        try (RunningChain chain = supervised(SOON)) {
            chain.sharedInlet(1);
            assertThatThrownBy(chain::inlet).hasMessageContaining("sharedInlet(...)");
            assertThatThrownBy(() -> chain.sharedInlet(1)).hasMessageContaining("sharedInlet(...)");
        }
        try (RunningChain chain = supervised(SOON)) {
            chain.inlet();
            assertThatThrownBy(() -> chain.sharedInlet(1)).hasMessageContaining("inlet()");
        }
        try (RunningChain chain = supervised(SOON)) {
            assertThatThrownBy(() -> chain.sharedInlet(0)).hasMessageContaining("1 to 16777216");
            chain.inlet();
        }
    }

    @Test
    void chainClosedBetweenRunsOpensNoInlet() {
        RunningChain chain = supervised(LATE);
        transport.backgroundFailure = new TransportException("the disk is away");
        await(() -> chain.restarts() == 1);
        chain.close();
        assertThatThrownBy(() -> chain.sharedInlet(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(chain::inlet)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void whatServiceThrowsStopsChainForGood() {
        poison = 2;
        try (RunningChain chain = supervised(SOON)) {
            Inlet inlet = chain.inlet();
            send(inlet, 1, 2);
            await(() -> chain.failure().isPresent());
            assertThat(chain.status().phase()).isEqualTo(ChainStatus.Phase.FAILED);
            assertThat(chain.status().failure()).containsInstanceOf(ServiceFailure.class);
            assertThatThrownBy(() -> inlet.send(new byte[8])).isInstanceOf(ChainFailedException.class);
            await(() -> failures.size() == 1);
            assertThat(chain.close(SHORT)).isFalse();
        }
        assertThat(services).hasValue(1);
        assertThat(restarts).isEmpty();
        assertThat(failures).hasSize(1);
    }

    @Test
    void policyRecreatesThrowingService() {
        poison = 2;
        try (RunningChain chain = supervised(SOON.afterServiceFailures())) {
            send(chain.inlet(), 1, 2);
            await(() -> services.get() > 3);
            poison = 0;
            await(() -> received.size() == 2);
        }
        assertThat(received).containsExactly(1L, 2L);
    }

    @Test
    void policyRecreatesServiceThatThrowsAtItsStart() {
        try (RunningChain running = failingAtSecondStart(thrown)
                .restart(SOON.afterServiceFailures())
                .start()) {
            send(running.inlet(), 1);
            await(() -> received.size() == 1 || !failures.isEmpty());
        }
        assertThat(failures).isEmpty();
        assertThat(services).hasValue(3);
    }

    @Test
    void otherPoliciesRepeatNoThrowingStart() {
        try (RunningChain running = failingAtSecondStart(new TransportException("a service's own broker"))
                .restart(SOON)
                .start()) {
            send(running.inlet(), 1);
            await(() -> !failures.isEmpty());
        }
        assertThat(failures)
                .singleElement()
                .isInstanceOfSatisfying(
                        IllegalStateException.class,
                        failure -> assertThat(failure).hasMessage("the database is away"));
        assertThat(services).hasValue(2);
    }

    /** Returns a chain whose first service object throws in a message, and whose second one throws at its start. */
    private Deployment failingAtSecondStart(RuntimeException inMessage) {
        return Chain.named("c")
                .then("s1", () -> new Service() {
                    private final int number = services.incrementAndGet();

                    @Override
                    public void onStart(ServiceContext context) {
                        if (number == 2) {
                            throw new IllegalStateException("the database is away");
                        }
                    }

                    @Override
                    public void onMessage(Message in, Outlet out) {
                        if (number == 1) {
                            throw inMessage;
                        }
                        out.forward(in);
                    }
                })
                .build()
                .on(transport)
                .with(loops)
                .sendWithin(LIMIT)
                .onFailure(failures::add)
                .onOutput(in -> received.add(in.getLong(0)));
    }

    @Test
    void timeOfCloseIsNotOfTheRun() {
        Chain chain = Chain.named("c")
                .then("s1", () -> new Service() {
                    @Override
                    public void onMessage(Message in, Outlet out) {
                        throw thrown;
                    }

                    @Override
                    public void onClosed() {
                        LockSupport.parkNanos(600_000_000);
                    }
                })
                .build();
        RestartPolicy policy = SOON.steadyAfter(Duration.ofMillis(500)).afterServiceFailures();
        try (RunningChain running = chain.on(transport)
                .with(loops)
                .listen(restartListener)
                .restart(policy)
                .start()) {
            send(running.inlet(), 1);
            await(() -> restarts.size() == 2);
        }
        assertThat(restarts).extracting(each -> each.split(" ")[3]).startsWith("PT0.001S", "PT0.002S");
    }

    @Test
    void oneFailureTooManyStopsChainForGood() {
        poison = 1;
        thrown = new TransportException("a service's own broker");
        try (RunningChain chain = supervised(SOON.atMost(3, Duration.ofMinutes(1)))) {
            send(chain.inlet(), 1);
            await(() -> chain.failure().isPresent());
            assertThat(chain.restarts()).isEqualTo(3);
        }
        assertThat(services).hasValue(1 + 3);
        assertThat(failures).hasSize(1);
    }

    @Test
    void chainReplacedByNewerProcessIsNotReopened() {
        poison = 1;
        thrown = new ReplacedException("c-1", "topic c-1 has a newer writer");
        try (RunningChain chain = supervised(SOON)) {
            send(chain.inlet(), 1);
            await(() -> chain.failure().isPresent());
        }
        assertThat(services).hasValue(1);
    }

    @Test
    void excludedChainRetriesUntilTheOtherEnds() {
        try (RunningChain chain = supervised(SOON)) {
            AtomicInteger refused = new AtomicInteger();
            transport.duringOpen = topic -> {
                if (refused.getAndIncrement() == 0) {
                    throw new OccupiedException("topic " + topic + " has a live writer");
                }
            };
            transport.backgroundFailure = new TransportException("the disk is away");
            await(() -> chain.restarts() > 0);
            transport.backgroundFailure = null; // or it would end each opening before this meets the other chain
            await(() -> refused.get() > 0);
            send(chain.inlet(), 1);
            await(() -> received.size() == 1);
        }
    }

    @Test
    void waitingChainHasNoRoomAndReportsRestart() {
        try (RunningChain chain =
                deployment().sendWithin(Duration.ofMillis(200)).restart(LATE).start()) {
            Inlet inlet = chain.inlet();
            send(inlet, 1);
            transport.backgroundFailure = new TransportException("the disk is away");
            await(() -> chain.restarts() == 1);
            assertThat(inlet.tryClaim(8)).isNull();
            assertThatThrownBy(() -> inlet.send(new byte[8]))
                    .isInstanceOf(BackPressureException.class)
                    .hasMessageContaining("is restarted after")
                    .hasMessageContaining("the disk is away");
            ChainStatus status = chain.status();
            assertThat(status.phase()).isEqualTo(ChainStatus.Phase.RESTARTING);
            assertThat(status.failure().orElseThrow()).hasMessage("the disk is away");
            assertThat(status.parts()).isEmpty();
            assertThat(chain.close(Duration.ofSeconds(5)))
                    .as("drained: what is in hand stays")
                    .isFalse();
        }
        transport.backgroundFailure = null;
    }

    @Test
    void closeWhileItIsOpenedLeavesNothingBehind() throws Exception {
        CountDownLatch isOpening = new CountDownLatch(1);
        CountDownLatch mayOpen = new CountDownLatch(1);
        try (RunningChain chain = supervised(SOON)) {
            transport.duringOpen = topic -> {
                isOpening.countDown();
                awaitQuietly(mayOpen);
            };
            transport.backgroundFailure = new TransportException("the disk is away");
            await(() -> chain.lastFailure().isPresent());
            transport.backgroundFailure = null;
            isOpening.await();
            CompletableFuture<Boolean> closed = CompletableFuture.supplyAsync(() -> chain.close(Duration.ofSeconds(5)));
            mayOpen.countDown();
            closed.get(10, TimeUnit.SECONDS);
            assertThat(chain.status().phase()).isEqualTo(ChainStatus.Phase.CLOSED);
        }
        assertThat(transport.topic("c-1").hasWriter).isFalse();
    }

    @Test
    void failedFirstStartThrowsAndIsNotRepeated() {
        transport.duringOpen = topic -> {
            throw new TransportException("no disk");
        };
        assertThatThrownBy(() -> supervised(SOON)).hasMessage("no disk");
        assertThat(services).hasValue(1);
    }

    @Test
    void manualLoopsAreRefused() {
        try (Loops manual = Loops.manual()) {
            assertThatThrownBy(() -> Chain.named("c")
                            .build()
                            .on(transport)
                            .with(manual)
                            .restart(SOON)
                            .start())
                    .hasMessageContaining("manual loops");
        }
    }

    @Test
    void failedPartitionIsReopenedWhileOthersContinue() {
        poison = 7;
        try (RunningChain running =
                deployment().partitions(3).restart(SOON.afterServiceFailures()).start()) {
            send(running.inlet(1), 7, 8);
            await(() -> services.get() > 3 + 2);
            send(running.inlet(0), 1);
            send(running.inlet(2), 2);
            await(() -> received.size() == 2);
            assertThat(running.held()).containsExactly(0, 1, 2);
            assertThat(running.failure()).isEmpty();
            poison = 0;
            await(() -> received.size() == 4);
            send(running.inlet(1), 9);
            await(() -> received.size() == 5);
            assertThat(running.status().phase()).isEqualTo(ChainStatus.Phase.RUNNING);
            assertThat(running.close(Duration.ofSeconds(5))).isTrue();
        }
        assertThat(received).contains(7L, 8L, 9L);
        assertThat(restarts.get(0))
                .isEqualTo("c 1 1 PT0.001S service s1 failed at message 1 of topic c-0@1: " + thrown);
        assertThat(failures).isEmpty();
    }

    @Test
    void partitionAwaitingRestartIsReleasedAtOnce() {
        poison = 7;
        List<PartitionChange> changes = new CopyOnWriteArrayList<>();
        try (RunningChain running = deployment()
                .partitions(2)
                .onPartition(changes::add)
                .restart(LATE.afterServiceFailures())
                .start()) {
            send(running.inlet(1), 7);
            await(() -> restarts.size() == 1);
            assertThat(running.status().phase()).isEqualTo(ChainStatus.Phase.RESTARTING);
            assertThat(running.close(Duration.ofSeconds(5))).isFalse();
        }
        assertThat(changes)
                .contains(
                        new PartitionChange(0, PartitionChange.Kind.REVOKED),
                        new PartitionChange(1, PartitionChange.Kind.CUT_OFF));
    }

    @Test
    void groupPartitionsAreReopenedAndRevoked() {
        transport.createTopics(List.of("c-0@1", "c-1@1", "c-0@2", "c-1@2"));
        ChainStart start = new ChainStart(
                new ChainPlan("c", null, List.of(new ChainPlan.Step("s1", this::service, null, null))),
                transport,
                settings());
        RestartingPartitions restarting = new RestartingPartitions(start, null);
        AssignedPartitions assigned = new AssignedPartitions(
                "c",
                loops.environment(),
                failed -> partition ->
                        start.open(topic -> topic + "@" + partition, failed, start.created(), failure -> {}),
                change -> {},
                failures::add,
                restarting,
                Duration.ofSeconds(2));
        AtomicInteger opened = new AtomicInteger();
        transport.duringOpen = topic -> {
            if (topic.endsWith("1") && opened.getAndIncrement() == 0) {
                throw new TransportException("no disk");
            }
        };
        assigned.assigned(Set.of(1, 2));
        await(() -> assigned.running().containsKey(2) && restarts.size() == 1);
        assertThat(restarting.restartingAfter()).hasMessage("no disk");
        assigned.lost(Set.of(1));
        assigned.revoked(Set.of(2));
        assertThat(restarting.all()).isEmpty();
        assertThat(assigned.running()).isEmpty();
        assertThat(failures).isEmpty();
    }

    @Test
    void lostPartitionsDoNotWaitForOpeningOthers() throws InterruptedException {
        transport.createTopics(List.of("c-0@1", "c-1@1", "c-0@2", "c-1@2"));
        List<Set<Integer>> openAtClose = new CopyOnWriteArrayList<>();
        List<PartitionChange> changes = new CopyOnWriteArrayList<>();
        AtomicReference<RestartingPartitions> all = new AtomicReference<>();
        CountDownLatch isOpening = new CountDownLatch(1);
        CompletableFuture<Void> isClosed = new CompletableFuture<>();
        ChainStart start = new ChainStart(
                new ChainPlan(
                        "c",
                        null,
                        List.of(new ChainPlan.Step(
                                "s1",
                                () -> new Service() {
                                    @Override
                                    public void onMessage(Message in, Outlet out) {
                                        out.forward(in);
                                    }

                                    @Override
                                    public void onClosed() {
                                        openAtClose.add(Set.copyOf(all.get().all()));
                                        isClosed.complete(null);
                                    }
                                },
                                null,
                                null))),
                transport,
                settings());
        RestartingPartitions restarting = new RestartingPartitions(start, null);
        all.set(restarting);
        AssignedPartitions assigned = new AssignedPartitions(
                "c",
                loops.environment(),
                failed -> partition -> {
                    if (partition == 1) {
                        isOpening.countDown();
                        isClosed.orTimeout(5, TimeUnit.SECONDS)
                                .handle((closed, late) -> null)
                                .join();
                        throw new TransportException("late");
                    }
                    return start.open(topic -> topic + "@" + partition, failed, start.created(), failure -> {});
                },
                changes::add,
                failures::add,
                restarting,
                Duration.ofSeconds(2));
        assigned.assigned(Set.of(2));
        await(() -> assigned.running().containsKey(2));
        assigned.assigned(Set.of(1));
        isOpening.await();
        assigned.lost(Set.of(1, 2));
        assertThat(openAtClose).containsExactly(Set.of(1, 2));
        assertThat(changes)
                .filteredOn(each -> each.kind() == PartitionChange.Kind.LOST)
                .containsExactlyInAnyOrder(
                        new PartitionChange(1, PartitionChange.Kind.LOST),
                        new PartitionChange(2, PartitionChange.Kind.LOST));
        assertThat(assigned.running()).isEmpty();
        assertThat(restarting.all()).isEmpty();
    }

    private RunningChain supervised(RestartPolicy policy) {
        return deployment().restart(policy).start();
    }

    private Chain chain() {
        return Chain.named("c").then("s1", this::service).build();
    }

    private Deployment deployment() {
        return chain().on(transport)
                .with(loops)
                .sendWithin(LIMIT)
                .onFailure(failures::add)
                .onOutput(in -> received.add(in.getLong(0)))
                .listen(restartListener);
    }

    /** Returns the settings of a deployment of partitions, for the engine's own parts. */
    private RunSettings settings() {
        RunSettings settings = new RunSettings();
        settings.loops = LoopPool.of(loops);
        settings.onFailure = failures::add;
        settings.output = () -> new SinkService(in -> received.add(in.getLong(0)));
        settings.listener = GuardedListener.with("c", null, restartListener);
        settings.restarts = LATE.afterServiceFailures();
        return settings;
    }

    private Service service() {
        services.incrementAndGet();
        return (in, out) -> {
            if (in.getLong(0) == poison) {
                throw thrown;
            }
            out.forward(in);
        };
    }

    private static byte[] bytes(long value) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
    }

    private static void send(Inlet inlet, long... values) {
        for (long value : values) {
            inlet.send(bytes(value)); // a claim of its own would end with a run that fails
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - begin).as("waited for, in ns").isLessThan(10_000_000_000L);
            LockSupport.parkNanos(50_000);
        }
    }
}
