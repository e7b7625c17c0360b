package dev.baton;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.Inlet.Batch;
import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Extension;
import dev.baton.spi.errors.TransportException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.logging.Filter;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Inlets of transports whose frames leave only in the turns of a connection: a loop sends for them. */
class RingInletTest {
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
        transport.sendsInTurns = true;
        transport.room = 1 << 16;
    }

    @ParameterizedTest
    @EnumSource
    void acceptedMessagesLeaveWhileSenderIdles(Threading threading) {
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
    void backgroundFailureIsReportedWhileSenderIdles(Threading threading) {
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
    void loopSendsAllMessagesOfFastSender(Threading threading) {
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
    void closeByAnotherThreadDrainsTheRing(Threading threading) throws InterruptedException {
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
            transport.opensInSteps = true;
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
    void inletsOfAllPartitionsAreDrained(Threading threading) throws InterruptedException {
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
    void inletOfTopicReadElsewhereHasALoop(Threading threading) {
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

    @Test
    void inletOpensNoConnectionOfItsOwn() {
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = started(loops)) {
            running.inlet().send(new byte[1]);
            assertThat(transport.openConnections).isEqualTo(1);
        }
    }

    @Test
    void fieldsOfMessagesArriveInOrder() {
        List<String> seen = new CopyOnWriteArrayList<>();
        ByteBuffer trace = ByteBuffer.allocate(Extension.TRACE_BYTES).put(0, (byte) 5);
        try (Loops loops = Loops.manual();
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .onOutput(in -> seen.add(in.type() + " " + in.originNanos() + " " + text(in.key()) + " "
                                + in.length() + " " + in.getByte(in.length() - 1)))
                        .start()) {
            Inlet inlet = running.inlet();
            inlet.tryClaim(
                            8,
                            new MessageFields().type(7).originNanos(11).key(ByteBuffer.wrap("key".getBytes(US_ASCII))))
                    .putByte(2, (byte) 3)
                    .commit(3);
            inlet.send(
                    ByteBuffer.wrap(new byte[] {1, 2}),
                    new MessageFields().originNanos(12).trace(trace));
            inlet.tryClaim(4).abort();
            assertThat(inlet.sequence()).isEqualTo(2);
            running.close(LIMIT);
        }
        assertThat(seen).containsExactly("7 11 key 3 3", "0 12 null 2 2");
        assertThat(HostileTransport.view(transport.topic("c-0").get(1)).field(Extension.TRACE))
                .isNotEqualTo(Extension.NONE);
    }

    private static String text(ByteBuffer key) {
        return key == null ? null : US_ASCII.decode(key.duplicate()).toString();
    }

    @Test
    void fullRingIsRefusedUntilTheLoopSends() {
        int sent = 0;
        try (Loops loops = Loops.manual();
                RunningChain running = started(loops)) {
            Inlet inlet = running.inlet();
            for (Claim claim = inlet.tryClaim(1); claim != null; claim = inlet.tryClaim(1)) {
                claim.commit(1);
                sent++;
            }
            assertThat(sent).isBetween(16, 4096);
            assertThatThrownBy(() -> inlet.send(new byte[1])).isInstanceOf(BackPressureException.class);
            loops.turn();
            inlet.send(new byte[1]);
            assertThatThrownBy(() -> inlet.tryClaim(transport.maxPayload + 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("0 to " + transport.maxPayload);
            assertThat(running.close(LIMIT)).isTrue();
        }
        assertThat(received).hasValue(sent + 1);
    }

    @Test
    void messagesOfAllLengthsKeepTheirBytes() {
        transport.maxPayload = 1 << 16;
        Random random = new Random(1);
        List<byte[]> sent = new ArrayList<>();
        List<byte[]> seen = new ArrayList<>();
        try (Loops loops = Loops.manual();
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .onOutput(in -> {
                            byte[] payload = new byte[in.length()];
                            in.getBytes(0, payload, 0, payload.length);
                            seen.add(payload);
                        })
                        .start()) {
            Inlet inlet = running.inlet();
            for (int i = 0; i < 3_000; i++) {
                byte[] payload = new byte[random.nextInt(1 << random.nextInt(17))];
                random.nextBytes(payload);
                Claim claim = inlet.tryClaim(Math.min(payload.length + random.nextInt(9), transport.maxPayload));
                if (claim == null || random.nextInt(100) == 0) {
                    loops.turn();
                }
                if (claim != null) {
                    claim.putBytes(0, payload, 0, payload.length).commit(payload.length);
                    sent.add(payload);
                }
            }
            assertThat(running.close(LIMIT)).isTrue();
        }
        assertThat(sent).hasSizeGreaterThan(1_000);
        assertThat(seen.toArray(byte[][]::new)).isDeepEqualTo(sent.toArray(byte[][]::new));
    }

    @Test
    void acceptedMessagesAreSentAfterServiceFails() {
        AtomicReference<Inlet> inlet = new AtomicReference<>();
        Chain failing = Chain.named("c")
                .then("s1", () -> (in, out) -> {
                    inlet.get().tryClaim(1).commit(1);
                    throw new IllegalStateException("no");
                })
                .build();
        try (Loops loops = Loops.manual();
                RunningChain running = failing.on(transport)
                        .with(loops)
                        .onFailure(failures::add)
                        .start()) {
            inlet.set(running.inlet());
            inlet.get().send(new byte[1]);
            for (int turn = 0; turn < 10; turn++) {
                loops.turn();
            }
            assertThat(failures).hasSize(1);
            assertThat(transport.topic("c-0").size()).isEqualTo(1);
        }
        assertThat(transport.topic("c-0").size()).isEqualTo(2);
    }

    @Test
    void secondClaimIsRefusedWhileOneIsOpen() {
        try (Loops loops = Loops.manual();
                RunningChain running = started(loops)) {
            Inlet inlet = running.inlet();
            Claim first = inlet.tryClaim(1).putByte(0, (byte) 1);
            assertThatThrownBy(() -> inlet.tryClaim(1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("open claim");
            first.commit(1);
            assertThat(running.close(LIMIT)).isTrue();
        }
        assertThat(received).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void loopsThatFirstSendToEachOtherContinue(int pools) {
        CyclicBarrier together = new CyclicBarrier(2);
        AtomicReference<Inlet> ofFirst = new AtomicReference<>();
        AtomicReference<Inlet> ofSecond = new AtomicReference<>();
        try (Loops loops = Loops.cooperative(2);
                Loops others = Loops.cooperative(1);
                RunningChain first =
                        crossing("c", ofSecond, together).with(loops).start();
                RunningChain second = crossing("d", ofFirst, together)
                        .with(pools == 1 ? loops : others)
                        .start()) {
            ofFirst.set(first.inlet());
            ofSecond.set(second.inlet());
            await("a message of each chain to the other")
                    .atMost(LIMIT)
                    .until(() -> !failures.isEmpty()
                            || transport.topic("c-0").size() == 1
                                    && transport.topic("d-0").size() == 1);
            assertThat(failures).isEmpty();
        }
        assertThat(transport.openConnections).isZero();
    }

    /** Returns a chain whose service sends one message into another chain, after the service of that one has begun. */
    private Deployment crossing(String name, AtomicReference<Inlet> other, CyclicBarrier together) {
        AtomicBoolean hasBegun = new AtomicBoolean();
        AtomicBoolean hasSent = new AtomicBoolean();
        return ticking(name, () -> {
            if (other.get() == null || hasSent.get()) {
                return;
            }
            if (!hasBegun.getAndSet(true)) {
                together.await(10, TimeUnit.SECONDS);
            }
            Claim claim = other.get().tryClaim(1);
            if (claim != null) {
                claim.commit(1);
                hasSent.set(true);
            }
        });
    }

    @Test
    void closeWithdrawsInletThatAnotherLoopOpens() throws InterruptedException {
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch tried = new CountDownLatch(1);
        AtomicReference<Inlet> inlet = new AtomicReference<>();
        AtomicReference<Claim> claim = new AtomicReference<>();
        AtomicBoolean hasTried = new AtomicBoolean();
        try (Loops loops = Loops.cooperative(2);
                RunningChain sender = ticking("c", () -> {
                            if (inlet.get() != null && !hasTried.getAndSet(true)) {
                                blocked.await();
                                assertThatThrownBy(inlet.get()::sequence).hasMessageContaining("is being opened");
                                claim.set(inlet.get().tryClaim(1));
                                tried.countDown();
                            }
                        })
                        .with(loops)
                        .start()) {
            RunningChain running = ticking("d", () -> {
                        blocked.countDown();
                        tried.await();
                    })
                    .with(loops)
                    .start();
            inlet.set(running.inlet());
            assertThat(tried.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(claim).hasValue(null);
            assertThat(running.close(LIMIT)).isTrue();
            assertThat(transport.topic("d-0").hasWriter).isFalse();
            assertThat(sender.failure()).isEmpty();
            assertThat(failures).isEmpty();
        }
        assertThat(transport.openConnections).isZero();
    }

    @ParameterizedTest
    @CsvSource({"true, true", "false, true", "true, false"})
    void openingInATurnHoldsUpNoOtherChain(boolean isOnItsLoop, boolean hasRing) throws InterruptedException {
        CountDownLatch opening = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        AtomicReference<Inlet> inlet = new AtomicReference<>();
        AtomicBoolean hasSent = new AtomicBoolean();
        transport.opensInSteps = true;
        transport.sendsInTurns = hasRing;
        try (Loops loops = Loops.cooperative(1);
                Loops others = Loops.cooperative(1);
                RunningChain running = ticking("d", () -> {}).with(loops).start();
                RunningChain steady = started(isOnItsLoop ? loops : others);
                RunningChain sender = ticking("e", () -> {
                            Claim claim = inlet.get() == null || hasSent.get()
                                    ? null
                                    : inlet.get().tryClaim(1);
                            if (claim != null) {
                                claim.commit(1);
                                hasSent.set(true);
                            }
                        })
                        .with(isOnItsLoop ? loops : others)
                        .start()) {
            steady.inlet().send(new byte[1]);
            transport.duringOpen = topic -> {
                opening.countDown();
                awaitQuietly(answered);
            };
            inlet.set(running.inlet());
            assertThat(opening.await(10, TimeUnit.SECONDS)).isTrue();
            steady.inlet().send(new byte[1]);
            try {
                await("a message while an inlet opens").atMost(LIMIT).until(() -> received.get() == 2);
            } finally {
                answered.countDown();
            }
            await("the message of the inlet").atMost(LIMIT).until(hasSent::get);
            assertThat(sender.failure()).isEmpty();
            assertThat(failures).isEmpty();
        }
        assertThat(transport.openConnections).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void failedOpeningInATurnLeavesNothing(boolean hasRing) {
        AtomicReference<Inlet> inlet = new AtomicReference<>();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        transport.opensInSteps = true;
        transport.sendsInTurns = hasRing;
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = ticking("d", () -> {}).with(loops).start();
                RunningChain sender = ticking("e", () -> {
                            if (inlet.get() != null && thrown.get() == null) {
                                try {
                                    inlet.get().tryClaim(1);
                                } catch (TransportException refused) {
                                    thrown.set(refused);
                                }
                            }
                        })
                        .with(loops)
                        .start()) {
            transport.duringOpen = topic -> {
                throw new TransportException("not now");
            };
            inlet.set(running.inlet());
            await("the refusal").atMost(LIMIT).until(() -> thrown.get() != null);
            assertThat(thrown.get()).hasMessage("not now");
            assertThat(sender.failure()).isEmpty();
            assertThat(transport.topic("d-0").hasWriter).isFalse();
        }
        assertThat(transport.openConnections).isZero();
    }

    private interface Tick {
        void run() throws Exception;
    }

    private Deployment ticking(String name, Tick tick) {
        TickingService service = new TickingService() {
            @Override
            public void onMessage(Message in, Outlet out) {}

            @Override
            public int onTick(Outlet out) throws Exception {
                tick.run();
                return 0;
            }
        };
        return Chain.named(name)
                .then("s1", () -> service)
                .build()
                .on(transport)
                .openWithin(Duration.ofSeconds(2))
                .onFailure(failures::add);
    }

    @Test
    void sendOnTheEmptyingLoopIsRefused() {
        AtomicReference<Inlet> inlet = new AtomicReference<>();
        Chain elsewhere = Chain.named("d").then("s1", () -> (in, out) -> {}).build();
        try (Loops loops = Loops.cooperative(1);
                RunningChain running =
                        elsewhere.on(transport).with(loops).only().start();
                RunningChain sender = ticking("c", () -> {
                            if (inlet.get() != null) {
                                inlet.get().send(new byte[1]);
                            }
                        })
                        .with(loops)
                        .start()) {
            inlet.set(running.inlet());
            await("the refusal").atMost(LIMIT).until(() -> sender.failure().isPresent());
            assertThat(sender.failure().orElseThrow()).hasStackTraceContaining("send was called on a loop");
        }
    }

    @Test
    void messageOfAFailedRunIsSentAgain() {
        AtomicInteger failing = new AtomicInteger();
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = ticking("c", () -> {
                            int round = failing.getAndSet(0);
                            if (round != 0) {
                                throw new IllegalStateException("round " + round + ".");
                            }
                        })
                        .with(loops)
                        .restart(RestartPolicy.backoff(Duration.ofMillis(1), Duration.ofMillis(1))
                                .afterServiceFailures())
                        .start()) {
            for (int round = 1; round <= 20; round++) {
                running.inlet().send(round, new FailingSerde(running, failing));
            }
            await("a message of each round")
                    .atMost(LIMIT)
                    .until(() -> transport.topic("c-0").size() == 20);
        }
        assertThat(failures).isEmpty();
    }

    /** Makes the chain fail while it encodes a number for the first time, and returns before the next run begins. */
    private static final class FailingSerde implements Serde<Integer> {
        private final RunningChain running;
        private final AtomicInteger failing;
        private boolean hasFailed;

        FailingSerde(RunningChain running, AtomicInteger failing) {
            this.running = running;
            this.failing = failing;
        }

        @Override
        public int maxLength(Integer round) {
            return Integer.BYTES;
        }

        @Override
        public int encode(Integer round, Claim into) {
            long end = System.nanoTime() + LIMIT.toNanos();
            if (!hasFailed) {
                hasFailed = true;
                failing.set(round);
                String expected = "round " + round + ".";
                while (!String.valueOf(running.lastFailure().orElse(null)).contains(expected)) {
                    assertThat(System.nanoTime()).isLessThan(end);
                    Thread.onSpinWait();
                }
            }
            into.putInt(0, round);
            return Integer.BYTES;
        }

        @Override
        public Decoder<Integer> decoder() {
            return in -> in.getInt(0);
        }
    }

    @Test
    void acceptedMessagesAreSentAfterReaderFails() {
        AtomicBoolean isClosing = new AtomicBoolean();
        AtomicInteger flushes = new AtomicInteger();
        transport.room = 8;
        transport.withholdsFrames = true;
        transport.duringFlush = topic -> {
            if (isClosing.get() && flushes.incrementAndGet() == 5) {
                transport.room = 1 << 16;
            }
        };
        try (Loops loops = Loops.threadPerService()) {
            RunningChain running = started(loops);
            for (int i = 0; i < 20; i++) {
                running.inlet().send(new byte[1]);
            }
            await("a full topic")
                    .atMost(LIMIT)
                    .until(() -> transport.topic("c-0").size() == 8);
            transport.endedReaders.put("c-0", new TransportException("the reader was fenced"));
            await("the failure").atMost(LIMIT).until(() -> !failures.isEmpty());
            isClosing.set(true);
            running.close(LIMIT);
        }
        assertThat(transport.topic("c-0").size()).isEqualTo(20);
    }

    @Test
    void messagesWithoutRoomAreReportedAtClose() {
        transport.room = 8;
        Logger logger = Logger.getLogger("dev.baton");
        List<String> warnings = new CopyOnWriteArrayList<>();
        Filter filter = logged -> !warnings.add(logged.getMessage());
        try (Loops loops = Loops.manual()) {
            RunningChain running = ticking("c", () -> {
                        throw new IllegalStateException("no");
                    })
                    .with(loops)
                    .start();
            for (int i = 0; i < 20; i++) {
                running.inlet().send(new byte[1]);
            }
            loops.turn();
            logger.setFilter(filter);
            running.close(LIMIT);
        } finally {
            logger.setFilter(null);
        }
        assertThat(transport.topic("c-0").size()).isEqualTo(8);
        assertThat(warnings).anyMatch(text -> text.contains("inlet of topic c-0"));
    }

    @Test
    @Tag("soak")
    void closeOfFailedChainWithoutRoomIsBounded() {
        AtomicBoolean isFailing = new AtomicBoolean();
        transport.room = 8;
        try (Loops loops = Loops.cooperative(1)) {
            RunningChain running = ticking("c", () -> {
                        if (isFailing.get()) {
                            throw new IllegalStateException("no");
                        }
                    })
                    .with(loops)
                    .start();
            transport.withholdsFrames = true;
            for (int i = 0; i < 20; i++) {
                running.inlet().send(new byte[1]);
            }
            isFailing.set(true);
            await("the failure").atMost(LIMIT).until(() -> !failures.isEmpty());
            running.close(LIMIT);
            assertThat(transport.openConnections).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void openBatchIsSentAfterServiceFails(boolean isClosedByOwner) {
        Chain failing = Chain.named("c")
                .then("s1", () -> (in, out) -> {
                    throw new IllegalStateException("no");
                })
                .build();
        try (Loops loops = Loops.manual();
                RunningChain running = failing.on(transport)
                        .with(loops)
                        .onFailure(failures::add)
                        .start()) {
            running.inlet().send(new byte[1]);
            Batch batch = running.inlet().batch();
            batch.send(new byte[1]);
            for (int turn = 0; turn < 10; turn++) {
                loops.turn();
            }
            assertThat(failures).hasSize(1);
            if (isClosedByOwner) {
                assertThatThrownBy(batch::close).isInstanceOf(ChainFailedException.class);
            }
        }
        assertThat(transport.topic("c-0").size()).isEqualTo(2);
    }

    private RunningChain started(Loops loops) {
        return chain.on(transport)
                .with(loops)
                .onFailure(failures::add)
                .onOutput(in -> received.incrementAndGet())
                .start();
    }
}
