package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.fixtures.HostileTransport;
import dev.baton.fixtures.LogRecorder;
import dev.baton.run.Loops;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.Guarantee;
import dev.baton.spi.errors.TransportException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests and replies on loops that the test turns. */
class RequestsTest {
    private static final ValueCodec<Long> NUMBERS = ValueCodec.longs(0);
    private static final Duration LONG = Duration.ofHours(1);
    private static final Service PASS = (in, out) -> out.forward(in);
    private static final Service DROP = (in, out) -> {};
    private static final Service REFUSE = (in, out) -> {
        throw new IllegalArgumentException("no " + in.getLong(0));
    };

    private final HostileTransport transport = new HostileTransport();
    private final Loops loops = Loops.manual();
    private final List<Long> received = new ArrayList<>();

    RequestsTest() {
        transport.room = 64;
    }

    @AfterEach
    void close() {
        loops.close();
    }

    @Test
    void onlyFramesOfRequestsHaveTheField() {
        try (RunningChain running = start(PASS, PASS);
                Requests<Long, Long> requests = requests(running)) {
            requests.inlet().offer(7L, NUMBERS);
            CompletableFuture<Optional<Long>> reply = ask(requests, 8);
            turn();
            assertThat(reply).isCompletedWithValue(Optional.of(8L));
        }
        for (String topic : List.of("c-0", "c-1", "c-2")) {
            assertThat(transport.frames(topic).get(0).isPlain()).as(topic).isTrue();
            assertThat(kind(topic, 1)).as(topic).isZero();
        }
        assertThat(received).containsExactly(7L, 8L);
    }

    @Test
    void interruptedCloseForgetsAllReadersOfReplies() throws InterruptedException {
        CountDownLatch isForgetting = new CountDownLatch(2);
        CountDownLatch mayForget = new CountDownLatch(1);
        transport.duringForget = () -> {
            isForgetting.countDown();
            try {
                mayForget.await();
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        };
        try (Loops own = Loops.cooperative(1)) {
            RunningChain running = Chain.named("c")
                    .then("s1", () -> PASS)
                    .build()
                    .on(transport)
                    .with(own)
                    .partitions(2)
                    .start();
            running.requests(NUMBERS, NUMBERS);
            AtomicBoolean isInterrupted = new AtomicBoolean();
            Thread closer = new Thread(() -> {
                Thread.currentThread().interrupt();
                running.close();
                isInterrupted.set(Thread.interrupted());
            });
            closer.start();
            isForgetting.await();
            try {
                await(() -> closer.getState() == Thread.State.TIMED_WAITING || !closer.isAlive());
                assertThat(closer.isAlive()).as("waits for the transport").isTrue();
            } finally {
                mayForget.countDown();
                closer.join();
            }
            assertThat(isInterrupted).isTrue();
        }
        for (String topic : List.of("c-1@0", "c-1@1")) {
            assertThat(transport.topic(topic).acknowledged).as(topic).isEmpty();
        }
    }

    @Test
    void firstOfSeveralOutputsCompletesTheRequest() {
        Service twice = new Service() {
            @Override
            public void onMessage(Message in, Outlet out) {
                out.send(in.getLong(0) + 1, NUMBERS);
                out.send(in.getLong(0) + 2, NUMBERS);
            }

            @Override
            public int maxOutputs() {
                return 2;
            }
        };
        try (RunningChain running = start(twice);
                Requests<Long, Long> requests = requests(running)) {
            CompletableFuture<Optional<Long>> reply = ask(requests, 5);
            turn();
            assertThat(reply).isCompletedWithValue(Optional.of(6L));
        }
        assertThat(received).containsExactly(6L, 7L);
    }

    @Test
    void readersOfRepliesLeaveNoTopic() {
        try (RunningChain running = Chain.named("c")
                        .then("s1", () -> PASS)
                        .build()
                        .on(transport)
                        .with(loops)
                        .onUnreadable(Deployment.UnreadableFrames.DEAD_LETTER)
                        .start();
                Requests<Long, Long> requests = requests(running)) {
            CompletableFuture<Optional<Long>> reply = ask(requests, 8);
            turn();
            assertThat(reply).isCompletedWithValue(Optional.of(8L));
        }
        assertThat(transport.topics()).containsExactlyInAnyOrder("c-0", "c-1", "c-0.dead-letters");
    }

    @Test
    void replyFrameAnswersItsInputAcrossARestart() {
        List<Long> handled = new ArrayList<>();
        Service drop = (in, out) -> handled.add(in.getLong(0));
        try (RunningChain running = start(drop);
                Requests<Long, Long> requests = requests(running)) {
            ask(requests, 3);
            turn();
        }
        transport.topic("c-0").acknowledged.put("s1", 0L);
        try (RunningChain again = start(drop)) {
            turn();
            assertThat(again.failure()).isEmpty();
        }
        assertThat(handled).containsExactly(3L);
        assertThat(transport.topic("c-1").size()).isOne();
    }

    @Test
    void letterStoredBeforeCrashIsAnsweredAfterIt() {
        Chain chain = chain(REFUSE);
        try (RunningChain running =
                        deployed(chain).onError(ErrorPolicy.deadLetter()).start();
                Requests<Long, Long> requests = requests(running)) {
            ask(requests, 3);
            turn();
        }
        assertThat(kind("c-1", 0)).isEqualTo(2);
        transport.topic("c-0").acknowledged.put("s1", 0L); // as if the reply had been lost
        transport.topic("c-1").frames.clear();
        transport.topic("c-1").stored = 0;
        transport.topic("c-1").acknowledged.clear();
        try (RunningChain again =
                deployed(chain).onError(ErrorPolicy.deadLetter()).start()) {
            turn();
            assertThat(again.failure()).isEmpty();
        }
        assertThat(kind("c-1", 0)).isEqualTo(2);
        assertThat(transport.topic("c-0.dead-letters").size())
                .as("frames of one letter")
                .isEqualTo(2);
    }

    @Test
    void retryPerKeyThatGivesUpFailsRequest() {
        ErrorPolicy errors = ErrorPolicy.retry(1).perKey().thenSkipTo((service, message, attempts, cause) -> {});
        try (RunningChain running =
                        deployed(chain(REFUSE, PASS)).onError(errors).start();
                Requests<Long, Long> requests = requests(running)) {
            CompletableFuture<Optional<Long>> reply = ask(requests, 4);
            turn();
            assertThatThrownBy(reply::join)
                    .hasCauseInstanceOf(RequestFailedException.class)
                    .hasMessageContaining("s1")
                    .hasMessageContaining("no 4");
        }
    }

    @Test
    @Timeout(20)
    void concurrentCallsReplyInEachWay() {
        Chain chain = Chain.named("c")
                .then("first", () -> PASS, Concurrency.perKey(4))
                .then(
                        "second",
                        () -> (in, out) -> {
                            if (in.getLong(0) == 3) {
                                throw new IllegalArgumentException("no " + in.getLong(0));
                            } else if (in.getLong(0) != 2) {
                                out.forward(in);
                            }
                        },
                        Concurrency.perKey(4),
                        ErrorPolicy.deadLetter())
                .then("third", () -> PASS, Concurrency.perKey(4))
                .build();
        try (RunningChain running = deployed(chain).start();
                Requests<Long, Long> requests = requests(running)) {
            List<CompletableFuture<Optional<Long>>> replies = new ArrayList<>();
            for (long number = 1; number <= 4; number++) {
                replies.add(ask(requests, number));
            }
            while (!replies.stream().allMatch(CompletableFuture::isDone)) {
                turn();
                Thread.onSpinWait();
            }
            assertThat(replies.get(0)).isCompletedWithValue(Optional.of(1L));
            assertThat(replies.get(1)).as("sent nothing").isCompletedWithValue(Optional.empty());
            assertThatThrownBy(replies.get(2)::join)
                    .hasCauseInstanceOf(RequestFailedException.class)
                    .hasMessageContaining("service second gave up: java.lang.IllegalArgumentException: no 3");
            assertThat(replies.get(3)).isCompletedWithValue(Optional.of(4L));
        }
        assertThat(received).containsExactly(1L, 4L);
    }

    @Test
    @Timeout(20)
    void storedLetterOfLaterRequestAwaitsEarlierCalls() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicBoolean isAgain = new AtomicBoolean();
        Chain chain = Chain.named("c")
                .then(
                        "slow",
                        () -> (in, out) -> {
                            if (in.getLong(0) == 2) {
                                throw new IllegalArgumentException("no 2");
                            }
                            if (isAgain.get()) {
                                mayEnd.await();
                            }
                            out.forward(in);
                        },
                        Concurrency.perKey(4),
                        ErrorPolicy.deadLetter())
                .build();
        try (RunningChain running = deployed(chain).start();
                Requests<Long, Long> requests = requests(running)) {
            CompletableFuture<Optional<Long>> first = requests.ask(key("a"), 1L, LONG);
            CompletableFuture<Optional<Long>> second = requests.ask(key("b"), 2L, LONG);
            while (!first.isDone() || !second.isDone()) {
                turn();
            }
        }
        transport.topic("c-0").acknowledged.put("slow", 0L); // as if the outputs had been lost, and the letter not
        transport.topic("c-1").frames.clear();
        transport.topic("c-1").stored = 0;
        transport.topic("c-1").acknowledged.clear();
        received.clear();
        isAgain.set(true);
        try (RunningChain again = deployed(chain).start()) {
            turn();
            assertThat(transport.frames("c-1")).isEmpty();
            mayEnd.countDown();
            while (transport.frames("c-1").size() < 2) {
                turn();
            }
            assertThat(again.failure()).isEmpty();
        }
        assertThat(transport.frames("c-1")).extracting(Frame::cause).containsExactly(1L, 2L);
        assertThat(kind("c-1", 1)).isEqualTo(2);
        assertThat(received).containsExactly(1L);
    }

    @Test
    @Timeout(20)
    void outputOfRequestIsLimitedInItsCall() {
        List<String> refused = new CopyOnWriteArrayList<>();
        Chain chain = Chain.named("c")
                .then(
                        "long",
                        () -> (in, out) -> {
                            try {
                                out.claim(transport.maxPayload());
                            } catch (IllegalArgumentException tooLong) {
                                refused.add(tooLong.getMessage());
                                out.forward(in);
                            }
                        },
                        Concurrency.perKey(4))
                .build();
        try (RunningChain running = deployed(chain).start();
                Requests<Long, Long> requests = requests(running)) {
            CompletableFuture<Optional<Long>> reply = ask(requests, 1);
            while (!reply.isDone()) {
                turn();
            }
            assertThat(reply).isCompletedWithValue(Optional.of(1L));
        }
        assertThat(refused).hasSize(1);
    }

    @Test
    void errorOfReplyCodecFailsRequestOnly() {
        Serde<Long> broken = new ValueCodec<>() {
            @Override
            public int maxLength(Long value) {
                return Long.BYTES;
            }

            @Override
            public int encode(Long value, Claim into) {
                return NUMBERS.encode(value, into);
            }

            @Override
            public Long decode(Message from) {
                throw new NoClassDefFoundError("Reply");
            }
        };
        try (RunningChain running = start(PASS);
                Requests<Long, Long> requests = running.requests(NUMBERS, broken)) {
            CompletableFuture<Optional<Long>> reply = ask(requests, 1);
            turn();
            assertThatThrownBy(reply::join).hasCauseInstanceOf(NoClassDefFoundError.class);
            assertThat(running.failure()).isEmpty();
        }
    }

    @Test
    void checksumAndKeyPassBesideTheRequest() {
        List<Byte> keys = new ArrayList<>();
        Service keyed = (in, out) -> {
            keys.add(in.key().get(in.key().position()));
            out.forward(in);
        };
        try (RunningChain running = deployed(chain(keyed, keyed))
                        .checksums(true)
                        .wallClock(true)
                        .start();
                Requests<Long, Long> requests = requests(running)) {
            CompletableFuture<Optional<Long>> reply = requests.ask(ByteBuffer.wrap(new byte[] {9}), 6L, LONG);
            turn();
            assertThat(reply).isCompletedWithValue(Optional.of(6L));
        }
        assertThat(keys).containsExactly((byte) 9, (byte) 9);
    }

    @Test
    void outputsOfTicksBelongToNoRequest() {
        class Window implements TickingService {
            private long sum;

            @Override
            public void onMessage(Message in, Outlet out) {
                sum += in.getLong(0);
            }

            @Override
            public int onTick(Outlet out) {
                if (sum == 0) {
                    return 0;
                }
                out.send(sum, NUMBERS);
                sum = 0;
                return 1;
            }
        }
        try (RunningChain running = start(new Window());
                Requests<Long, Long> requests = requests(running)) {
            CompletableFuture<Optional<Long>> reply = ask(requests, 6);
            turn();
            assertThat(reply).isCompletedWithValue(Optional.empty());
        }
        assertThat(received).containsExactly(6L);
        assertThat(transport.frames("c-1").get(1).field(Extension.REQUEST)).isEqualTo(Extension.NONE);
    }

    @Test
    void chainBehindTheTopicSeesNoReplies() {
        try (RunningChain running = start(PASS, DROP);
                Requests<Long, Long> requests = requests(running);
                RunningChain branch = Chain.named("b")
                        .from("c-2")
                        .then("pass", () -> PASS)
                        .build()
                        .on(transport)
                        .with(loops)
                        .start()) {
            ask(requests, 1);
            turn();
            assertThat(branch.failure()).isEmpty();
        }
        assertThat(transport.topic("c-2").size()).isOne();
        assertThat(transport.topic("b-1").size()).isZero();
    }

    @Test
    void replyMakesRoomBeforeItsCallerContinues() {
        try (RunningChain running = start(PASS);
                Requests<Long, Long> requests = running.requests(NUMBERS, NUMBERS, 1)) {
            CompletableFuture<Optional<Long>> second = ask(requests, 1).thenCompose(first -> ask(requests, 2));
            turn();
            turn();
            assertThat(second).isCompletedWithValue(Optional.of(2L));
        }
    }

    @Test
    void furtherRequestsThanAllowedAreRefused() {
        try (RunningChain running = start(PASS);
                Requests<Long, Long> requests = running.requests(NUMBERS, NUMBERS, 2)) {
            CompletableFuture<Optional<Long>> first = ask(requests, 1);
            ask(requests, 2);
            assertThatThrownBy(ask(requests, 3)::join).hasCauseInstanceOf(BackPressureException.class);
            first.cancel(false);
            turn();
            assertThat(requests.open()).isZero();
            CompletableFuture<Optional<Long>> fourth = ask(requests, 4);
            turn();
            assertThat(fourth).isCompletedWithValue(Optional.of(4L));
        }
    }

    @Test
    @Timeout(20)
    void placeIsFreeWhenTheReplyIsSeen() {
        try (RunningChain running = start(PASS);
                Requests<Long, Long> requests = running.requests(NUMBERS, NUMBERS, 1)) {
            List<Integer> open = new CopyOnWriteArrayList<>();
            CompletableFuture<Optional<Long>> reply = ask(requests, 1);
            reply.thenRun(() -> open.add(requests.open())); // runs first, as it was added last
            turn();
            CompletableFuture<Optional<Long>> late = requests.ask(null, 2L, Duration.ofMillis(20));
            late.whenComplete((value, failure) -> open.add(requests.open()));
            assertThatThrownBy(late::join).hasCauseInstanceOf(TimeoutException.class);
            await(() -> open.size() == 2);
            assertThat(open).containsExactly(0, 0);
        }
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waits for 60 s").isLessThan(end);
            Thread.onSpinWait();
        }
    }

    @Test
    void failureOfTheChainFailsOpenRequests() {
        try (RunningChain running = start(REFUSE);
                Requests<Long, Long> requests = requests(running)) {
            CompletableFuture<Optional<Long>> open = ask(requests, 1);
            turn();
            assertThatThrownBy(open::join)
                    .hasCauseInstanceOf(ChainFailedException.class)
                    .hasMessageContaining("no 1");
            assertThatThrownBy(ask(requests, 2)::join).hasCauseInstanceOf(ChainFailedException.class);
        }
    }

    @Test
    void closeOfTheChainFailsOpenRequests() {
        RunningChain running = chain(PASS)
                .on(transport.without(Guarantee.IMMEDIATE))
                .with(loops)
                .onOutput(in -> {})
                .start();
        Requests<Long, Long> requests = requests(running);
        transport.withholdsFrames = true;
        CompletableFuture<Optional<Long>> open = ask(requests, 1);
        turn();
        running.close(Duration.ZERO);
        assertThatThrownBy(open::join).hasCauseInstanceOf(ChainClosedException.class);
        requests.close();
    }

    @Test
    void closeOfTheChainEndsItsRequests() {
        RunningChain running = chain(PASS).on(transport).with(loops).start();
        int before = transport.openReaders;
        Requests<Long, Long> requests = requests(running);
        assertThat(transport.openReaders).isEqualTo(before + 1);
        running.close();
        assertThat(transport.openReaders).as("with that of replies").isZero();
        loops.close();
        assertThatThrownBy(ask(requests, 2)::join)
                .hasCauseInstanceOf(ChainClosedException.class)
                .hasMessageContaining("chain c was closed");
        requests.close();
    }

    @Test
    void refusedSecondRequestsLeaveTheFirst() {
        try (RunningChain running = chain(PASS).on(transport).with(loops).start()) {
            Requests<Long, Long> requests = requests(running);
            assertThatThrownBy(() -> requests(running)).hasMessageContaining("one writer already: requests(...)");
            CompletableFuture<Optional<Long>> reply = ask(requests, 1);
            turn();
            assertThat(reply).isCompletedWithValue(Optional.of(1L));
        }
    }

    @Test
    void furtherInletIsRefusedBecauseOfRequests() {
        try (RunningChain running = start(PASS)) {
            requests(running);
            assertThatThrownBy(running::inlet).hasMessageContaining("one writer already: requests(...)");
            assertThatThrownBy(() -> requests(running)).hasMessageContaining("one writer already: requests(...)");
        }
        try (RunningChain running = deployed(
                        Chain.named("p").then("pass", () -> PASS).build())
                .partitions(2)
                .start()) {
            requests(running);
            assertThatThrownBy(() -> running.inlet(0)).hasMessageContaining("another inlet already: requests(...)");
        }
    }

    @Test
    void refusedStartIsThrownAndNotLogged() {
        transport.duringOpen = topic -> {
            throw new TransportException("no topic " + topic);
        };
        List<String> logged = logged(() -> assertThatThrownBy(
                        () -> chain(PASS).on(transport).with(loops).start())
                .hasMessageContaining("no topic c-1"));
        assertThat(logged).isEmpty();
    }

    @Test
    void handlerOfRepliesMayBeAbsentWithoutTrace() {
        List<String> logged = logged(() -> {
            try (RunningChain running = chain(PASS).on(transport).with(loops).start();
                    Requests<Long, Long> requests = requests(running)) {
                CompletableFuture<Optional<Long>> reply = ask(requests, 5);
                turn();
                assertThat(reply).isCompletedWithValue(Optional.of(5L));
            }
        });
        assertThat(logged).isEmpty();
        assertThat(transport.topic("c-1").acknowledged)
                .as("positions of consumers")
                .isEmpty();
    }

    private static List<String> logged(Runnable body) {
        try (LogRecorder log = new LogRecorder()) {
            body.run();
            return log.messages();
        }
    }

    @Test
    void endOfTheReplyReaderFailsAllRequests() {
        try (RunningChain running = chain(PASS).on(transport).with(loops).start();
                Requests<Long, Long> requests = requests(running)) {
            CompletableFuture<Optional<Long>> open = ask(requests, 5);
            transport.endedReaders.put("c-1", new TransportException("retention has removed frames of topic c-1"));
            turn();
            assertThatThrownBy(open::join)
                    .hasCauseInstanceOf(ChainFailedException.class)
                    .hasMessageContaining("retention");
            assertThat(running.failure()).isEmpty();
            assertThatThrownBy(ask(requests, 6)::join).hasMessageContaining("retention");
        }
    }

    private Chain chain(Service... services) {
        Chain.Builder builder = Chain.named("c");
        for (int i = 0; i < services.length; i++) {
            Service service = services[i];
            builder.then("s" + (i + 1), () -> service);
        }
        return builder.build();
    }

    private Deployment deployed(Chain chain) {
        return chain.on(transport).with(loops).onFailure(cause -> {}).onOutput(in -> received.add(in.getLong(0)));
    }

    private RunningChain start(Service... services) {
        return deployed(chain(services)).start();
    }

    private static Requests<Long, Long> requests(RunningChain running) {
        return running.requests(NUMBERS, NUMBERS);
    }

    private static CompletableFuture<Optional<Long>> ask(Requests<Long, Long> requests, long value) {
        return requests.ask(null, value, LONG);
    }

    private static ByteBuffer key(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private int kind(String topic, int index) {
        Frame frame = transport.frames(topic).get(index);
        byte[] field = Extension.copy(frame, Extension.REQUEST);
        return field[Extension.REQUEST_BYTES - 1];
    }

    private void turn() {
        for (int i = 0; i < 20; i++) {
            loops.turn();
        }
    }
}
