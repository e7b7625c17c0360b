package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.fixtures.HostileTransport;
import dev.baton.fixtures.ShiftedClock;
import dev.baton.run.Loops;
import dev.baton.spi.Guarantee;
import dev.baton.spi.errors.TransportException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Resends of requests on loops that the test turns. */
class ResendTest {
    private static final ValueCodec<Long> NUMBERS = ValueCodec.longs(0);
    private static final Duration LONG = Duration.ofHours(9);
    private static final Duration AGE = Duration.ofMinutes(10);
    private static final UUID A = UUID.nameUUIDFromBytes(new byte[] {1});
    private static final UUID B = UUID.nameUUIDFromBytes(new byte[] {2});
    private static final UUID C = UUID.nameUUIDFromBytes(new byte[] {3});

    private final HostileTransport transport = new HostileTransport();
    private final ShiftedClock clock = new ShiftedClock();
    private final Loops loops = Loops.manual().in(clock);
    private final List<Long> handled = new ArrayList<>();
    private boolean isFailing;
    private boolean isFiltering;

    ResendTest() {
        transport.room = 64;
    }

    @AfterEach
    void close() {
        loops.close();
    }

    @Test
    void resendGetsTheReplyOfTheFirst() {
        try (RunningChain running = start()) {
            Requests<Long, Long> requests = requests(running);
            CompletableFuture<Optional<Long>> first = ask(requests, 1, A);
            turn();
            CompletableFuture<Optional<Long>> resend = ask(requests, 1, A);
            assertThat(first).isCompletedWithValue(Optional.of(101L));
            assertThat(resend).isCompletedWithValue(Optional.of(101L));
            assertThat(requests.open()).isZero();
        }
        assertThat(handled).containsExactly(1L);
    }

    @Test
    void resendOfAnOpenRequestWaits() {
        try (RunningChain running = start()) {
            Requests<Long, Long> requests = requests(running);
            CompletableFuture<Optional<Long>> first = ask(requests, 1, A);
            CompletableFuture<Optional<Long>> resend = ask(requests, 1, A);
            CompletableFuture<Optional<Long>> other = ask(requests, 2, B);
            assertThat(requests.open()).isEqualTo(3);
            turn();
            assertThat(first).isCompletedWithValue(Optional.of(101L));
            assertThat(resend).isCompletedWithValue(Optional.of(101L));
            assertThat(other).isCompletedWithValue(Optional.of(102L));
            assertThat(requests.open()).isZero();
        }
        assertThat(handled).containsExactly(1L, 2L);
    }

    @Test
    void resendAfterTheTimeoutGetsTheLateReply() {
        try (RunningChain running = start()) {
            Requests<Long, Long> requests = requests(running);
            CompletableFuture<Optional<Long>> first = requests.ask(key("a"), 1L, A, Duration.ofMillis(1));
            assertThatThrownBy(first::join).hasCauseInstanceOf(TimeoutException.class);
            CompletableFuture<Optional<Long>> resend = ask(requests, 1, A);
            turn();
            assertThat(resend).isCompletedWithValue(Optional.of(101L));
        }
        assertThat(handled).containsExactly(1L);
    }

    @Test
    void emptyAndFailedRepliesAreAnswersToo() {
        isFiltering = true;
        try (RunningChain running = deployed()
                .onError(ErrorPolicy.skipTo((service, message, attempts, cause) -> {}))
                .start()) {
            Requests<Long, Long> requests = requests(running);
            ask(requests, 1, A);
            turn();
            assertThat(ask(requests, 1, A)).isCompletedWithValue(Optional.empty());
            isFailing = true;
            ask(requests, 2, B);
            turn();
            assertThatThrownBy(ask(requests, 2, B)::join)
                    .hasCauseInstanceOf(RequestFailedException.class)
                    .hasMessageContaining("no 2");
        }
        assertThat(handled).containsExactly(1L, 2L);
    }

    @Test
    void laterStartAnswersFromTheTopics() {
        try (RunningChain running = start()) {
            Requests<Long, Long> requests = requests(running);
            ask(requests, 1, A);
            requests.ask(key("a"), 2L, LONG);
            ask(requests, 3, B);
            turn();
        }
        for (boolean hasHandler : new boolean[] {true, false}) {
            try (RunningChain running = hasHandler ? start() : withoutHandler().start()) {
                Requests<Long, Long> requests = requests(running);
                assertThat(ask(requests, 1, A)).isCompletedWithValue(Optional.of(101L));
                assertThat(ask(requests, 3, B)).isCompletedWithValue(Optional.of(103L));
                CompletableFuture<Optional<Long>> other = ask(requests, 4, UUID.randomUUID());
                turn();
                assertThat(other).isCompletedWithValue(Optional.of(104L));
            }
        }
        assertThat(handled).containsExactly(1L, 2L, 3L, 4L, 4L);
        assertThat(transport.topic("c-0").acknowledged).containsOnlyKeys("add");
        assertThat(transport.openReaders).isZero();
        assertThat(transport.openConnections).isZero();
    }

    @Test
    void unansweredRequestOfAnEarlierStartIsAwaited() {
        isFailing = true;
        try (RunningChain running = start()) {
            CompletableFuture<Optional<Long>> first = ask(requests(running), 1, A);
            turn();
            assertThat(first).isCompletedExceptionally();
        }
        isFailing = false;
        try (RunningChain running = start()) {
            Requests<Long, Long> requests = requests(running);
            CompletableFuture<Optional<Long>> resend = ask(requests, 1, A);
            assertThat(resend).isNotDone();
            turn();
            assertThat(resend).isCompletedWithValue(Optional.of(101L));
        }
        assertThat(transport.frames("c-0")).hasSize(1);
        assertThat(handled).containsExactly(1L, 1L);
    }

    @Test
    void requestThatWasNotStoredIsHandled() {
        transport.storesLate = true;
        Loops killed = Loops.manual().in(clock);
        ask(requests(withoutHandler().with(killed).start()), 1, A);
        for (int i = 0; i < 40; i++) {
            killed.turn();
        }
        assertThat(handled).containsExactly(1L);
        transport.crash();
        transport.storesLate = false;
        handled.clear();
        try (RunningChain again = start()) {
            CompletableFuture<Optional<Long>> resend = ask(requests(again), 1, A);
            turn();
            assertThat(resend).isCompletedWithValue(Optional.of(101L));
        }
        assertThat(handled).containsExactly(1L);
    }

    @Test
    @Timeout(60)
    void restartedRunSendsLostRequestsAgain() throws Exception {
        transport.storesLate = true;
        transport.withholdsFrames = true;
        try (Loops threads = Loops.cooperative(1);
                RunningChain running = adding().on(transport)
                        .with(threads)
                        .resends(64, AGE)
                        .onFailure(cause -> {})
                        .restart(RestartPolicy.backoff(Duration.ofMillis(1), Duration.ofMillis(10)))
                        .onOutput(in -> {})
                        .start()) {
            Requests<Long, Long> requests = running.requests(NUMBERS, NUMBERS, 16);
            CompletableFuture<Optional<Long>> first = ask(requests, 1, A);
            CompletableFuture<Optional<Long>> second = ask(requests, 2, B);
            await(() -> transport.topic("c-0").size() == 2);
            transport.topic("c-0").stored = 1;
            transport.duringOpen = topic -> {
                if (topic.equals("c-0") && transport.topic(topic).size() == 2) {
                    transport.topic(topic).frames.remove(1); // it was not stored
                    transport.storesLate = false;
                    transport.withholdsFrames = false;
                }
            };
            transport.endedWriters.put("c-1", new TransportException("lost"));
            await(() -> running.lastFailure().isPresent());
            transport.endedWriters.clear();
            CompletableFuture<Optional<Long>> resend = ask(requests, 2, B);
            assertThat(first.get()).contains(101L);
            assertThat(second.get()).contains(102L);
            assertThat(resend.get()).contains(102L);
        }
        assertThat(handled).containsExactly(1L, 2L);
    }

    @Test
    @Timeout(60)
    void messagesOfAnotherWriterEndTheRequests() {
        try (Loops threads = Loops.cooperative(1);
                RunningChain running = adding().on(transport)
                        .with(threads)
                        .resends(64, AGE)
                        .restart(RestartPolicy.backoff(Duration.ofMillis(1), Duration.ofMillis(10)))
                        .onOutput(in -> {})
                        .start()) {
            Requests<Long, Long> requests = running.requests(NUMBERS, NUMBERS, 16);
            CompletableFuture<Optional<Long>> answered = ask(requests, 1, A);
            await(answered::isDone);
            CountDownLatch isAsked = new CountDownLatch(1);
            transport.duringOpen = topic -> {
                if (topic.equals("c-0")) {
                    await(() -> isAsked.getCount() == 0);
                    transport.duringOpen = none -> {};
                    transport.write("c-0", 2, 2);
                }
            };
            transport.endedWriters.put("c-1", new TransportException("fenced"));
            await(() -> running.lastFailure().isPresent());
            transport.endedWriters.clear();
            CompletableFuture<Optional<Long>> open = ask(requests, 3, B);
            isAsked.countDown();
            assertThatThrownBy(open::join)
                    .hasCauseInstanceOf(ChainClosedException.class)
                    .hasMessageContaining("another process has sent messages to chain c");
            assertThatThrownBy(ask(requests, 4, C)::join).hasMessageContaining("another process");
            assertThat(ask(requests, 1, A)).isCompletedWithValue(Optional.of(101L));
            requests.inlet().offer(5L, NUMBERS);
            await(() -> transport.topic("c-0").size() >= 3);
        }
        assertThat(transport.frames("c-0")).as("without request 3").hasSize(3);
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void idsAreRefusedWithoutResends() {
        try (RunningChain running = withoutHandler().start()) {
            Requests<Long, Long> requests = requests(running);
            assertThatThrownBy(() -> ask(requests, 1, new UUID(0, 7)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("version 0");
        }
        try (RunningChain running = adding().on(transport).with(loops).start()) {
            Requests<Long, Long> requests = requests(running);
            assertThatThrownBy(() -> ask(requests, 1, A))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Deployment.resends");
        }
    }

    @Test
    void resendsRememberNoFewerThanMayBeOpen() {
        try (RunningChain running = deployed().resends(8, AGE).start()) {
            assertThatThrownBy(() -> requests(running))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("8 requests are remembered, and 16 may be open");
        }
    }

    @Test
    void oldRequestsAreForgotten() {
        try (RunningChain running = start()) {
            Requests<Long, Long> requests = requests(running);
            ask(requests, 1, A);
            turn();
            clock.pass(AGE.minusSeconds(10));
            ask(requests, 2, B);
            turn();
            assertThat(ask(requests, 1, A)).isDone();
            clock.pass(Duration.ofSeconds(20));
            assertThat(ask(requests, 2, B)).isDone();
            ask(requests, 1, A);
            turn();
        }
        assertThat(handled).containsExactly(1L, 2L, 1L);
        clock.pass(AGE.plusSeconds(50));
        try (RunningChain running = start()) {
            Requests<Long, Long> requests = requests(running);
            assertThat(ask(requests, 1, A)).as("sent again").isDone();
            assertThat(ask(requests, 2, B)).as("older").isNotDone();
        }
    }

    @Test
    void oldestOfTooManyRequestsAreForgotten() {
        try (RunningChain running = deployed().resends(16, AGE).start()) {
            Requests<Long, Long> requests = requests(running);
            ask(requests, 1, A);
            ask(requests, 2, B);
            turn();
            for (long value = 3; value <= 17; value++) {
                ask(requests, value, UUID.randomUUID());
                turn();
            }
            assertThat(ask(requests, 2, B)).isDone();
            assertThat(ask(requests, 1, A)).isNotDone();
        }
    }

    @Test
    void unansweredRequestsAreForgottenLast() {
        try (RunningChain running = deployed().resends(16, AGE).start()) {
            Requests<Long, Long> requests = requests(running);
            for (long value = 2; value <= 16; value++) {
                ask(requests, value, UUID.randomUUID());
            }
            turn();
            transport.withholdsFrames = true;
            CompletableFuture<Optional<Long>> slow = ask(requests, 1, A);
            turn();
            clock.pass(AGE);
            ask(requests, 17, B);
            ask(requests, 1, A);
            transport.withholdsFrames = false;
            turn();
            assertThat(slow).isCompletedWithValue(Optional.of(101L));
        }
        assertThat(handled).containsOnlyOnce(1L);
    }

    @Test
    void openRequestsOutliveThoseWithoutAnyAsker() {
        try (RunningChain running = deployed().resends(16, AGE).start()) {
            Requests<Long, Long> requests = requests(running);
            transport.withholdsFrames = true;
            CompletableFuture<Optional<Long>> slow = ask(requests, 1, A);
            for (long value = 2; value <= 17; value++) {
                CompletableFuture<Optional<Long>> other = ask(requests, value, UUID.randomUUID());
                turn();
                other.cancel(false);
            }
            assertThat(requests.open()).isOne();
            transport.withholdsFrames = false;
            turn();
            assertThat(slow).isCompletedWithValue(Optional.of(101L));
        }
        assertThat(handled).hasSize(17);
    }

    @Test
    void requestThatWasRefusedIsNotRemembered() {
        try (RunningChain running = start()) {
            Requests<Long, Long> requests = requests(running);
            List<CompletableFuture<Optional<Long>>> all = new ArrayList<>();
            for (long value = 1; value <= 16; value++) {
                all.add(ask(requests, value, UUID.randomUUID()));
            }
            assertThatThrownBy(ask(requests, 99, A)::join).hasCauseInstanceOf(BackPressureException.class);
            turn();
            CompletableFuture<Optional<Long>> again = ask(requests, 99, A);
            turn();
            assertThat(again).isCompletedWithValue(Optional.of(199L));
            assertThat(all).allMatch(CompletableFuture::isDone);
        }
        assertThat(handled).hasSize(17);
    }

    @Test
    void closedChainRefusesWhatIsNotAnswered() {
        RunningChain running = start();
        Requests<Long, Long> requests = requests(running);
        ask(requests, 1, A);
        turn();
        running.close();
        assertThat(ask(requests, 1, A)).isCompletedWithValue(Optional.of(101L));
        assertThatThrownBy(ask(requests, 2, B)::join).hasCauseInstanceOf(ChainClosedException.class);
    }

    @Test
    void failedChainFailsResendsOfUnansweredRequests() {
        isFailing = true;
        try (RunningChain running = start()) {
            Requests<Long, Long> requests = requests(running);
            ask(requests, 1, A);
            turn();
            assertThatThrownBy(ask(requests, 1, A)::join).hasCauseInstanceOf(ChainFailedException.class);
        }
    }

    @Test
    void partitionsKnowTheirRequestsAfterARestart() {
        for (int life = 0; life < 2; life++) {
            try (RunningChain running = deployed().partitions(3).start()) {
                Requests<Long, Long> requests = requests(running);
                List<CompletableFuture<Optional<Long>>> all = new ArrayList<>();
                for (long value = 1; value <= 12; value++) {
                    all.add(requests.ask(
                            key("k" + value), value, UUID.nameUUIDFromBytes(new byte[] {(byte) value}), LONG));
                }
                turn();
                for (int i = 0; i < 12; i++) {
                    assertThat(all.get(i)).isCompletedWithValue(Optional.of(101L + i));
                }
            }
        }
        assertThat(handled).hasSize(12);
    }

    @Test
    void topicsThatDoNotLastAreNotRead() {
        transport.without(Guarantee.DURABLE);
        try (RunningChain running = start()) {
            Requests<Long, Long> requests = requests(running);
            ask(requests, 1, A);
            turn();
            assertThat(ask(requests, 1, A)).isDone();
        }
        try (RunningChain running = start()) {
            assertThat(ask(requests(running), 1, A)).isNotDone();
        }
    }

    @Test
    void removedFramesAreNotNeeded() {
        try (RunningChain running = start()) {
            Requests<Long, Long> requests = requests(running);
            ask(requests, 1, A);
            ask(requests, 2, B);
            ask(requests, 3, C);
            turn();
        }
        transport.topic("c-0").removed = 1;
        transport.topic("c-1").removed = 1;
        try (RunningChain running = start()) {
            Requests<Long, Long> requests = requests(running);
            assertThat(ask(requests, 2, B)).isCompletedWithValue(Optional.of(102L));
            assertThat(ask(requests, 1, A)).isNotDone();
        }
    }

    @Test
    void longHistoryIsNotReadBeyondTheLimit() {
        try (RunningChain running = deployed().resends(1_024, AGE).start()) {
            Requests<Long, Long> requests = requests(running);
            for (long value = 1; value <= 600; value++) {
                ask(requests, value, UUID.randomUUID());
                turn();
            }
        }
        try (RunningChain running = deployed()
                .resends(1_024, AGE)
                .openWithin(Duration.ofSeconds(30))
                .start()) {
            transport.duringPoll = () -> clock.pass(Duration.ofSeconds(20));
            assertThatThrownBy(() -> requests(running))
                    .hasMessageContaining("allow more time with Deployment.openWithin");
            transport.duringPoll = () -> {};
            assertThat(requests(running).open()).isZero();
        }
    }

    @Test
    @Timeout(60)
    void emptyTopicsOfUnknownPositionAreRead() {
        transport.knowsSequence = false;
        try (RunningChain running = start()) {
            CompletableFuture<Optional<Long>> first = ask(requests(running), 1, A);
            turn();
            assertThat(first).isCompletedWithValue(Optional.of(101L));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void requestsThatWereNotReadAreOpenedAgain(int partitions) {
        for (int life = 0; life < 2; life++) {
            try (RunningChain running = deployed().partitions(partitions).start()) {
                if (life == 1) {
                    transport.duringPoll = () -> {
                        throw new TransportException("not read");
                    };
                    assertThatThrownBy(() -> requests(running)).hasMessage("not read");
                    transport.duringPoll = () -> {};
                }
                Requests<Long, Long> requests = requests(running);
                CompletableFuture<Optional<Long>> reply = ask(requests, 1, A);
                CompletableFuture<Optional<Long>> other = ask(requests, 2, UUID.randomUUID());
                turn();
                assertThat(reply).isCompletedWithValue(Optional.of(101L));
                assertThat(other).isCompletedWithValue(Optional.of(102L));
            }
        }
        assertThat(handled).containsExactly(1L, 2L, 2L);
    }

    @Test
    @Timeout(60)
    void cancelledResendIsNotKept() {
        transport.withholdsFrames = true;
        try (RunningChain running = start()) {
            Requests<Long, Long> requests = requests(running);
            CompletableFuture<Optional<Long>> first = ask(requests, 1, A);
            WeakReference<CompletableFuture<Optional<Long>>> resend = cancelled(requests);
            assertThat(requests.open()).isOne();
            for (int i = 0; i < 100 && resend.get() != null; i++) {
                System.gc();
            }
            assertThat(resend.get()).isNull();
            transport.withholdsFrames = false;
            turn();
            assertThat(first).isCompletedWithValue(Optional.of(101L));
        }
    }

    private static WeakReference<CompletableFuture<Optional<Long>>> cancelled(Requests<Long, Long> requests) {
        CompletableFuture<Optional<Long>> resend = ask(requests, 1, A);
        resend.cancel(false);
        return new WeakReference<>(resend);
    }

    private Chain adding() {
        return Chain.named("c")
                .then("add", () -> (in, out) -> {
                    long value = in.getLong(0);
                    handled.add(value);
                    if (isFailing) {
                        throw new IllegalStateException("no " + value);
                    }
                    if (!isFiltering) {
                        out.send(value + 100, NUMBERS, in.key());
                    }
                })
                .build();
    }

    private Deployment withoutHandler() {
        return adding().on(transport).with(loops).onFailure(cause -> {}).resends(64, AGE);
    }

    private Deployment deployed() {
        return withoutHandler().onOutput(in -> {});
    }

    private RunningChain start() {
        return deployed().start();
    }

    private static Requests<Long, Long> requests(RunningChain running) {
        return running.requests(NUMBERS, NUMBERS, 16);
    }

    private static CompletableFuture<Optional<Long>> ask(Requests<Long, Long> requests, long value, UUID id) {
        return requests.ask(key("a"), value, id, LONG);
    }

    private static ByteBuffer key(String text) {
        return ByteBuffer.wrap(text.getBytes());
    }

    private void turn() {
        for (int i = 0; i < 40; i++) {
            loops.turn();
        }
    }
}
