package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.async.AsyncService;
import dev.baton.fixtures.HostileTransport;
import dev.baton.fixtures.ShiftedClock;
import dev.baton.run.Loops;
import dev.baton.spi.Frame;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An asynchronous service whose stages the test completes. */
class AsyncServiceTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final HostileTransport transport = new HostileTransport();
    private final ShiftedClock clock = new ShiftedClock();
    private final Loops loops = Loops.manual().in(clock);
    private final List<CompletableFuture<Long>> stages = new ArrayList<>();
    private final List<Long> started = new ArrayList<>();
    private final List<Long> received = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();
    private ErrorPolicy errors = ErrorPolicy.stop();
    private long sent;

    private enum Numbers implements ValueCodec<Long> {
        CODEC;

        @Override
        public int maxLength(Long value) {
            return Long.BYTES;
        }

        @Override
        public int encode(Long value, Claim into) {
            if (value < 0) {
                throw new IllegalArgumentException("negative: " + value);
            }
            into.putLong(0, value);
            return Long.BYTES;
        }

        @Override
        public Long decode(Message from) {
            return from.getLong(0);
        }
    }

    /** Sends the result, and that many further outputs as its input says. */
    private final class Repeating implements AsyncService<Long> {
        @Override
        public CompletableFuture<Long> process(Message in) {
            return begin(in.getLong(0));
        }

        @Override
        public void onResult(Message in, Long result, Outlet out) {
            for (long i = 0; i < in.getLong(0); i++) {
                out.send(result, Numbers.CODEC);
            }
        }

        @Override
        public int maxOutputs() {
            return 2;
        }
    }

    AsyncServiceTest() {
        transport.room = 64;
    }

    @AfterEach
    void close() {
        loops.close();
    }

    private CompletableFuture<Long> begin(Long value) {
        started.add(value);
        stages.add(new CompletableFuture<>());
        return stages.get(stages.size() - 1);
    }

    @Test
    void outputsOfStagesAreInOrderOfInputs() {
        try (RunningChain running = start()) {
            send(running, "a", "b", "c");
            assertThat(started).containsExactly(1L, 2L, 3L);
            complete(2, 30L);
            complete(1, 20L);
            assertThat(received).isEmpty();
            assertThat(acknowledged()).isZero();
            complete(0, 10L);
            assertThat(received).containsExactly(10L, 20L, 30L);
            assertThat(acknowledged()).isEqualTo(3);
        }
        assertThat(transport.frames("c-1").stream().map(Frame::cause)).containsExactly(1L, 2L, 3L);
    }

    @Test
    void nextOfTheKeyWaitsForTheStage() {
        try (RunningChain running = start()) {
            send(running, "a", "a", "b");
            assertThat(started).containsExactly(1L, 3L);
            complete(0, 1L);
            assertThat(started).containsExactly(1L, 3L, 2L);
            complete(1, 3L);
            complete(2, 2L);
            assertThat(received).containsExactly(1L, 2L, 3L);
        }
    }

    @Test
    void stagesAtWorkAreLimited() {
        try (RunningChain running = start()) {
            send(running, "a", "b", "c", "d", "e", "f");
            assertThat(started).containsExactly(1L, 2L, 3L, 4L);
            complete(0, 1L);
            assertThat(started).containsExactly(1L, 2L, 3L, 4L, 5L);
            for (int i = 1; i < 6; i++) {
                complete(i, 1L);
            }
        }
        assertThat(received).hasSize(6);
    }

    @Test
    void anInputMayHaveSeveralOutputs() {
        Chain chain = Chain.named("c")
                .then("s1", Repeating::new, Concurrency.perKey(4))
                .build();
        try (RunningChain running = start(chain)) {
            send(running, "a", "b");
            complete(1, 7L);
            complete(0, 5L);
        }
        assertThat(received).containsExactly(5L, 7L, 7L);
    }

    @Test
    void failedStageIsAFailureOfItsMessage() {
        errors = ErrorPolicy.retry(1)
                .thenSkipTo((service, in, attempts, cause) -> skipped.add(in.getLong(0) + " " + cause));
        try (RunningChain running = start()) {
            send(running, "a", "b");
            fail(0, new CompletionException(new IllegalStateException("no")));
            assertThat(started).containsExactly(1L, 2L, 1L);
            fail(2, new IllegalStateException("still no"));
            complete(1, 20L);
            assertThat(running.failure()).isEmpty();
        }
        assertThat(skipped).containsExactly("1 java.lang.IllegalStateException: still no");
        assertThat(received).containsExactly(20L);
    }

    @Test
    void stoppingPolicyNamesTheCauseOfTheStage() {
        try (RunningChain running = start()) {
            send(running, "a");
            fail(0, new CompletionException(new IllegalStateException("no")));
            assertThat(running.failure().orElseThrow()).hasRootCauseMessage("no");
        }
        assertThat(acknowledged()).isZero();
    }

    @Test
    void errorOfTheOutputCodecFailsTheMessage() {
        errors = ErrorPolicy.skipTo((service, in, attempts, cause) -> skipped.add(in.getLong(0) + " " + cause));
        try (RunningChain running = start()) {
            send(running, "a", "a");
            complete(0, -1L);
            complete(1, 2L);
        }
        assertThat(skipped).containsExactly("1 java.lang.IllegalArgumentException: negative: -1");
        assertThat(received).containsExactly(2L);
    }

    @Test
    void stageThatNeverCompletesTimesOut() {
        errors = ErrorPolicy.retry(1)
                .thenSkipTo((service, in, attempts, cause) -> skipped.add(in.getLong(0) + " " + cause));
        try (RunningChain running = start()) {
            send(running, "a", "b");
            complete(1, 2L);
            clock.pass(TIMEOUT.minusSeconds(1));
            turn();
            assertThat(started).containsExactly(1L, 2L);
            clock.pass(Duration.ofSeconds(1));
            turn();
            assertThat(started).as("retried").containsExactly(1L, 2L, 1L);
            assertThat(stages.get(0)).isCancelled();
            clock.pass(TIMEOUT);
            turn();
        }
        assertThat(skipped)
                .containsExactly("1 " + TimeoutException.class.getName()
                        + ": the stage that service s1 returned was not complete within 60000 ms;"
                        + " Concurrency.timeout(...) sets the limit");
        assertThat(received).containsExactly(2L);
    }

    @Test
    void lateStageDoesNotAnswerTheRetry() {
        errors = ErrorPolicy.retry(1);
        Chain chain = Chain.named("c")
                .then(
                        "s1",
                        AsyncService.of(
                                Numbers.CODEC,
                                Numbers.CODEC,
                                value -> begin(value).copy()),
                        Concurrency.perKey(4).timeout(TIMEOUT))
                .build();
        try (RunningChain running = start(chain)) {
            send(running, "a");
            clock.pass(TIMEOUT);
            turn();
            complete(0, 10L); // cancelling a copy does not cancel it
            assertThat(received).isEmpty();
            complete(1, 11L);
        }
        assertThat(received).containsExactly(11L);
    }

    @Test
    void nullSendsNoOutput() {
        try (RunningChain running = start()) {
            send(running, "a", "b");
            complete(0, null);
            complete(1, 2L);
            assertThat(acknowledged()).isEqualTo(2);
        }
        assertThat(received).containsExactly(2L);
    }

    @Test
    void completedStageNeedsNoOtherThread() {
        Chain chain = Chain.named("c")
                .then(
                        "s1",
                        AsyncService.of(
                                Numbers.CODEC, Numbers.CODEC, value -> CompletableFuture.completedStage(value + 1)),
                        Concurrency.perKey(4))
                .build();
        try (RunningChain running = start(chain)) {
            send(running, "a", "a", "b");
        }
        assertThat(received).containsExactly(2L, 3L, 4L);
    }

    @Test
    void restartRepeatsUnfinishedStagesOnly() {
        RunningChain running = start();
        send(running, "a", "b", "c");
        complete(0, 1L);
        complete(2, 3L);
        running.close(Duration.ZERO);
        assertThat(stages.get(1)).isCancelled();
        started.clear();
        try (RunningChain again = start()) {
            turn();
            assertThat(started).containsExactly(2L, 3L);
            complete(3, 2L);
            complete(4, 3L);
            assertThat(again.failure()).isEmpty();
        }
        assertThat(transport.frames("c-1").stream().map(Frame::cause)).containsExactly(1L, 2L, 3L);
        assertThat(received).containsExactly(1L, 2L, 3L);
    }

    @Test
    void orderlyCloseWaitsForStages() {
        List<Long> real = new ArrayList<>();
        try (Loops threads = Loops.cooperative(1)) {
            RunningChain running = Chain.named("c")
                    .then("s1", AsyncService.of(Numbers.CODEC, Numbers.CODEC, this::later), Concurrency.perKey(4))
                    .build()
                    .on(transport)
                    .with(threads)
                    .onOutput(in -> real.add(in.getLong(0)))
                    .start();
            for (long value = 1; value <= 20; value++) {
                claim(running, "k" + value % 7);
            }
            assertThat(running.close(Duration.ofSeconds(20))).isTrue();
        }
        assertThat(real)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 20).boxed().toList());
    }

    private CompletableFuture<Long> later(Long value) {
        return new CompletableFuture<Long>().completeOnTimeout(value, 1 + value % 3, TimeUnit.MILLISECONDS);
    }

    @Test
    void interceptorsAreAroundTheStart() {
        List<String> around = new ArrayList<>();
        try (RunningChain running = deployed(chain())
                .around((context, next) -> (in, out) -> {
                    around.add(context.service() + " begins");
                    next.onMessage(in, out);
                    around.add(context.service() + " returns");
                })
                .start()) {
            send(running, "a");
            assertThat(around).containsExactly("s1 begins", "s1 returns");
            complete(0, 1L);
        }
        assertThat(received).containsExactly(1L);
        assertThat(around).filteredOn(each -> each.startsWith("s1")).hasSize(2);
    }

    @Test
    void outputOfAnInterceptorPrecedesTheResult() {
        Chain chain = Chain.named("c")
                .then("s1", Repeating::new, Concurrency.perKey(4))
                .build();
        try (RunningChain running = deployed(chain)
                .around((context, next) -> (in, out) -> {
                    if (context.service().equals("s1")) {
                        out.send(77L, Numbers.CODEC);
                    }
                    next.onMessage(in, out);
                })
                .start()) {
            send(running, "a");
            complete(0, 5L);
        }
        assertThat(received).containsExactly(77L, 5L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void stageBehindFailedInterceptorIsCancelled(boolean isCalledTwice) {
        errors = ErrorPolicy.skipTo((service, in, attempts, cause) -> skipped.add(cause.getMessage()));
        try (RunningChain running = deployed(chain())
                .around((context, next) -> (in, out) -> {
                    next.onMessage(in, out);
                    if (!context.service().equals("s1")) {
                        return;
                    }
                    if (!isCalledTwice) {
                        throw new IllegalStateException("no");
                    }
                    next.onMessage(in, out);
                })
                .start()) {
            send(running, "a");
            assertThat(stages.get(0)).isCancelled();
            stages.stream().skip(1).forEach(each -> each.complete(7L));
            turn();
        }
        assertThat(received).isEqualTo(isCalledTwice ? List.of(7L) : List.of());
        assertThat(skipped).isEqualTo(isCalledTwice ? List.of() : List.of("no"));
    }

    @Test
    void filteredMessageStartsNoStage() {
        Chain chain = Chain.named("d")
                .from("c-1", in -> in.getLong(0) > 1)
                .then("s1", AsyncService.of(Numbers.CODEC, Numbers.CODEC, this::begin), Concurrency.perKey(4))
                .build();
        Chain first = Chain.named("c")
                .then("pass", () -> (in, out) -> out.forward(in))
                .build();
        try (RunningChain before = first.on(transport).with(loops).start();
                RunningChain running = start(chain)) {
            send(before, "a", "b");
            assertThat(started).containsExactly(2L);
            complete(0, 2L);
            assertThat(running.failure()).isEmpty();
        }
        assertThat(received).containsExactly(2L);
    }

    @Test
    void asyncServiceNeedsAConcurrency() {
        Chain chain = Chain.named("c").then("s1", Repeating::new).build();
        assertThatThrownBy(() -> start(chain))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("service s1 is asynchronous")
                .hasMessageContaining("Concurrency.perKey");
        assertThatThrownBy(() -> Concurrency.perKey(1).timeout(Duration.ZERO)).hasMessageContaining("more than zero");
    }

    @Test
    void decoratorOfAnAsyncServiceBlocks() {
        Chain decorated = Chain.named("c")
                .then(
                        "s1",
                        AsyncService.of(
                                Numbers.CODEC, Numbers.CODEC, value -> CompletableFuture.completedFuture(value + 1)),
                        Concurrency.perKey(4))
                .build()
                .decorated((name, service) -> (in, out) -> service.onMessage(in, out));
        try (RunningChain running = start(decorated)) {
            send(running, "a");
        }
        assertThat(received).containsExactly(2L);
    }

    private Chain chain() {
        return Chain.named("c")
                .then(
                        "s1",
                        AsyncService.of(Numbers.CODEC, Numbers.CODEC, this::begin),
                        Concurrency.perKey(4).timeout(TIMEOUT))
                .build();
    }

    private Deployment deployed(Chain chain) {
        return chain.on(transport)
                .with(loops)
                .onError(errors)
                .onFailure(cause -> {})
                .onOutput(in -> received.add(in.getLong(0)));
    }

    private RunningChain start(Chain chain) {
        return deployed(chain).start();
    }

    private RunningChain start() {
        return start(chain());
    }

    private void send(RunningChain running, String... keys) {
        for (String key : keys) {
            claim(running, key);
        }
        turn();
    }

    private void claim(RunningChain running, String key) {
        MessageFields fields = new MessageFields().key(ByteBuffer.wrap(key.getBytes()));
        running.inlet().tryClaim(Long.BYTES, fields).putLong(0, ++sent).commit(Long.BYTES);
    }

    private void complete(int stage, Long result) {
        stages.get(stage).complete(result);
        turn();
    }

    private void fail(int stage, Throwable cause) {
        stages.get(stage).completeExceptionally(cause);
        turn();
    }

    private void turn() {
        for (int i = 0; i < 40; i++) {
            loops.turn();
        }
    }

    private long acknowledged() {
        return transport.topic("c-0").acknowledged.getOrDefault("s1", 0L);
    }
}
