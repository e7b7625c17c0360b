package dev.baton.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.ChainFailedException;
import dev.baton.Concurrency;
import dev.baton.ErrorPolicy;
import dev.baton.KeyedService;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.RequestFailedException;
import dev.baton.Requests;
import dev.baton.ServiceContext;
import dev.baton.state.KeyedState;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Requests to a chain under test. */
class AskedChainTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static final Chain CHAIN = Chain.named("asked")
            .then("even", () -> (in, out) -> {
                if (in.getLong(0) < 0) {
                    throw new IllegalArgumentException("negative");
                }
                if (in.getLong(0) % 2 == 0) {
                    out.forward(in);
                }
            })
            .then("add", () -> (in, out) -> out.send(in.getLong(0) + 1, Numbers.CODEC))
            .build();

    @Test
    void restAnswersRequests() {
        try (ChainTester tester = ChainTester.of(CHAIN)) {
            Requests<Long, Long> requests = tester.requests(Numbers.CODEC, Numbers.CODEC);
            CompletableFuture<Optional<Long>> odd = requests.ask(null, 1L, MINUTE);
            CompletableFuture<Optional<Long>> even = requests.ask(null, 2L, MINUTE);
            assertThat(even).isNotDone();
            tester.start();
            assertThat(odd).isCompletedWithValue(Optional.empty());
            assertThat(even).isCompletedWithValue(Optional.of(3L));
            assertThat(tester.take(Numbers.CODEC)).containsExactly(3L);
            tester.assertRepeatable();
        }
    }

    @Test
    void requestsTimeOutOnTheVirtualClock() {
        try (ChainTester tester =
                ChainTester.of(CHAIN).onError(ErrorPolicy.retry(3).after(Duration.ofMinutes(50)))) {
            Requests<Long, Long> requests = tester.requests(Numbers.CODEC, Numbers.CODEC);
            CompletableFuture<Optional<Long>> failing = requests.ask(null, -1L, MINUTE);
            tester.advance(MINUTE.minusSeconds(1));
            assertThat(failing).isNotDone();
            tester.advance(Duration.ofSeconds(1));
            assertThatThrownBy(failing::join).hasCauseInstanceOf(TimeoutException.class);
        }
    }

    /** Its end lies behind the highest time of the clock. */
    @Test
    void requestWithoutTimeLimitDoesNotTimeOut() {
        int[] calls = {0};
        Chain flaky = Chain.named("flaky")
                .then("add", () -> (in, out) -> {
                    if (calls[0]++ == 0) {
                        throw new IllegalStateException("not yet");
                    }
                    out.send(in.getLong(0) + 1, Numbers.CODEC);
                })
                .build();
        try (ChainTester tester =
                ChainTester.of(flaky).onError(ErrorPolicy.retry(3).after(MINUTE))) {
            Requests<Long, Long> requests = tester.requests(Numbers.CODEC, Numbers.CODEC);
            CompletableFuture<Optional<Long>> reply = requests.ask(null, 1L, Duration.ofNanos(Long.MAX_VALUE));
            tester.advance(MINUTE.minusSeconds(1));
            assertThat(reply).isNotDone();
            tester.advance(Duration.ofSeconds(1));
            assertThat(reply).isCompletedWithValue(Optional.of(2L));
        }
    }

    @Test
    void skippedRequestsFail() {
        try (ChainTester tester = ChainTester.of(CHAIN).onError(ErrorPolicy.deadLetter())) {
            Requests<Long, Long> requests = tester.requests(Numbers.CODEC, Numbers.CODEC);
            CompletableFuture<Optional<Long>> failing = requests.ask(null, -1L, MINUTE);
            tester.start();
            assertThatThrownBy(failing::join)
                    .hasCauseInstanceOf(RequestFailedException.class)
                    .hasMessageContaining("negative");
            assertThat(tester.deadLetters("even")).hasSize(1);
        }
    }

    /** Adds what the numbers of a chain have come to. */
    private static final class Total implements KeyedService {
        private KeyedState<String, Long> totals;

        @Override
        public void onStart(ServiceContext context) {
            totals = context.state("totals", Numbers.CODEC);
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            Long before = totals.get("all");
            totals.put("all", in.getLong(0) + (before == null ? 0 : before));
            out.send(totals.get("all"), Numbers.CODEC);
        }
    }

    @Test
    void concurrentAndKeyedServicesAnswerRequests() {
        Chain chain = Chain.named("cards")
                .then("look-up", () -> (in, out) -> out.forward(in), Concurrency.perKey(4))
                .then("total", Total::new)
                .build();
        try (ChainTester tester = ChainTester.of(chain).maxPayload(200)) {
            Requests<Long, Long> requests = tester.requests(Numbers.CODEC, Numbers.CODEC);
            CompletableFuture<Optional<Long>> first = requests.ask(null, 2L, MINUTE);
            CompletableFuture<Optional<Long>> second = requests.ask(null, 3L, MINUTE);
            tester.start();
            assertThat(first).isCompletedWithValue(Optional.of(2L));
            assertThat(second).isCompletedWithValue(Optional.of(5L));
            tester.crash();
            CompletableFuture<Optional<Long>> third =
                    tester.requests(Numbers.CODEC, Numbers.CODEC).ask(null, 4L, MINUTE);
            tester.start();
            assertThat(third).isCompletedWithValue(Optional.of(9L));
            tester.assertRepeatable();
        }
    }

    @Test
    void resendsAreAnsweredAfterCrash() {
        UUID id = UUID.nameUUIDFromBytes(new byte[] {1});
        Duration window = Duration.ofSeconds(10);
        try (ChainTester tester = ChainTester.of(CHAIN).deployed(deployment -> deployment.resends(5_000, window))) {
            tester.requests(Numbers.CODEC, Numbers.CODEC).ask(null, 2L, id, MINUTE);
            tester.start().crash();
            Requests<Long, Long> requests = tester.requests(Numbers.CODEC, Numbers.CODEC);
            CompletableFuture<Optional<Long>> resend = requests.ask(null, 2L, id, MINUTE);
            tester.start();
            assertThat(resend).isCompletedWithValue(Optional.of(3L));
            assertThat(tester.take(Numbers.CODEC)).containsExactly(3L);
            tester.advance(window.plusSeconds(1));
            assertThat(requests.ask(null, 2L, id, MINUTE)).as("forgotten").isNotDone();
            tester.start();
            assertThat(tester.take(Numbers.CODEC)).containsExactly(3L);
        }
    }

    @Test
    void crashFailsOpenRequests() {
        try (ChainTester tester = ChainTester.of(CHAIN)) {
            Requests<Long, Long> requests = tester.requests(Numbers.CODEC, Numbers.CODEC);
            CompletableFuture<Optional<Long>> open = requests.ask(null, 2L, MINUTE);
            tester.crash();
            assertThatThrownBy(open::join).hasCauseInstanceOf(ChainFailedException.class);
            CompletableFuture<Optional<Long>> again =
                    tester.requests(Numbers.CODEC, Numbers.CODEC).ask(null, 4L, MINUTE);
            tester.start();
            assertThat(again).isCompletedWithValue(Optional.of(5L));
        }
    }
}
