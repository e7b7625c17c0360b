package dev.baton.tck.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.Chain;
import dev.baton.ChainClosedException;
import dev.baton.ChainFailedException;
import dev.baton.Concurrency;
import dev.baton.Deployment;
import dev.baton.ErrorPolicy;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.RequestFailedException;
import dev.baton.Requests;
import dev.baton.RestartPolicy;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.ValueCodec;
import dev.baton.partitions.Partitions;
import dev.baton.run.Loops;
import dev.baton.spi.Guarantee;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicInspector;
import dev.baton.tck.Turns;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The contract on requests: each gets the reply that it led to, an empty one, or the reason why there is none. */
public abstract class RequestsTck extends WholeChainTck {
    private static final ValueCodec<Long> NUMBERS = ValueCodec.longs(0);
    private static final Service ADD_ONE = (in, out) -> out.send(in.getLong(0) + 1, NUMBERS, in.key());

    private static final int THREADS = 4;
    private static final int EACH = 20;

    private final List<Long> handled = Collections.synchronizedList(new ArrayList<>());

    /** Called by the test of a transport. */
    protected RequestsTck() {}

    @Test
    void eachThreadGetsItsOwnReplies() throws Exception {
        Chain chain = Chain.named(name)
                .then("s1", () -> ADD_ONE)
                .then("s2", () -> ADD_ONE, Concurrency.perKey(THREADS))
                .then("s3", () -> ADD_ONE)
                .build();
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = deployed(chain, loops).start();
                Requests<Long, Long> requests = requests(running)) {
            List<CompletableFuture<Void>> askers = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                long first = thread * 1_000L;
                askers.add(CompletableFuture.runAsync(() -> {
                    for (long value = first; value < first + EACH; value++) {
                        assertThat(reply(ask(requests, value))).contains(value + 3);
                    }
                }));
            }
            for (CompletableFuture<Void> each : askers) {
                each.get(limit().toNanos(), TimeUnit.NANOSECONDS);
            }
            assertThat(requests.open()).isZero();
        }
        assertThat(handled).hasSize(THREADS * EACH);
    }

    @Test
    void filteredRequestGetsEmptyReply() {
        Service evenOnly = (in, out) -> {
            if (in.getLong(0) % 2 == 0) {
                out.forward(in);
            }
        };
        Chain chain = chain(evenOnly, ADD_ONE, ADD_ONE);
        List<Long> tapped = Collections.synchronizedList(new ArrayList<>());
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = deployed(chain, loops).start();
                RunningChain tap = Chain.named(name + ".tap")
                        .from(chain.topic(0, 3))
                        .build()
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> tapped.add(in.getLong(0)))
                        .start();
                Requests<Long, Long> requests = requests(running)) {
            assertThat(reply(ask(requests, 1))).isEmpty();
            assertThat(reply(ask(requests, 2))).contains(4L);
            new Turns(limit())
                    .until("one message", "a tap receives the messages of requests", () -> tapped.size() == 1);
            assertThat(tap.failure()).isEmpty();
        }
        assertThat(handled).as("messages of the output handler").containsExactly(4L);
        assertThat(tapped).as("messages of the tap").containsExactly(4L);
    }

    @Test
    void serviceWithoutOutputsGivesEmptyReplies() {
        Service sink = new Service() {
            @Override
            public void onMessage(Message in, Outlet out) {}

            @Override
            public int maxOutputs() {
                return 0;
            }
        };
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = deployed(chain(sink, ADD_ONE), loops).start();
                Requests<Long, Long> requests = requests(running)) {
            for (long value = 1; value <= EACH; value++) {
                assertThat(reply(ask(requests, value))).isEmpty();
            }
        }
        assertThat(handled).isEmpty();
    }

    @Test
    void skippedRequestFailsWithItsCause() {
        assertFailsWithCause(ErrorPolicy.skipTo((service, message, attempts, cause) -> {}));
    }

    @Test
    void requestThatBecomesADeadLetterFails() {
        assumeTrue(isDurable(), "keeps no letters");
        assertFailsWithCause(ErrorPolicy.retry(1).thenDeadLetter());
    }

    private void assertFailsWithCause(ErrorPolicy errors) {
        Service refusing = (in, out) -> {
            if (in.getLong(0) < 0) {
                throw new IllegalArgumentException("negative: " + in.getLong(0));
            }
            out.forward(in);
        };
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = deployed(chain(refusing, ADD_ONE), loops)
                        .onError(errors)
                        .start();
                Requests<Long, Long> requests = requests(running)) {
            CompletableFuture<Optional<Long>> failing = ask(requests, -7);
            assertThatThrownBy(() -> failing.get(limit().toNanos(), TimeUnit.NANOSECONDS))
                    .hasCauseInstanceOf(RequestFailedException.class)
                    .hasMessageContaining("s1")
                    .hasMessageContaining("negative: -7");
            assertThat(reply(ask(requests, 7))).contains(8L);
        }
        assertThat(handled).containsExactly(8L);
    }

    @Test
    void lateReplyLosesToTheTimeout() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        Service slow = (in, out) -> {
            if (in.getLong(0) == 1) {
                released.await(limit().toNanos(), TimeUnit.NANOSECONDS);
            }
            out.forward(in);
        };
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = deployed(chain(slow), loops).start();
                Requests<Long, Long> requests = running.requests(NUMBERS, NUMBERS, 1)) {
            CompletableFuture<Optional<Long>> late = requests.ask(key(1), 1L, Duration.ofMillis(50));
            assertThatThrownBy(() -> late.get(limit().toNanos(), TimeUnit.NANOSECONDS))
                    .hasCauseInstanceOf(TimeoutException.class);
            released.countDown();
            assertThat(reply(ask(requests, 2)))
                    .as("the place of the late request")
                    .contains(2L);
        } finally {
            released.countDown();
        }
    }

    @Test
    void closedRequestsFailWhatIsOpen() {
        CountDownLatch released = new CountDownLatch(1);
        Service stuck = (in, out) -> {
            released.await(limit().toNanos(), TimeUnit.NANOSECONDS);
            out.forward(in);
        };
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = deployed(chain(stuck), loops).start()) {
            Requests<Long, Long> requests = requests(running);
            CompletableFuture<Optional<Long>> open = ask(requests, 1);
            requests.close();
            assertThat(open).isCompletedExceptionally();
            assertThatThrownBy(open::join).hasCauseInstanceOf(ChainClosedException.class);
            assertThatThrownBy(ask(requests, 2)::join).hasCauseInstanceOf(ChainClosedException.class);
            released.countDown();
        } finally {
            released.countDown();
        }
    }

    @Test
    void openRequestSurvivesARestartOfTheChain() {
        AtomicBoolean hasFailed = new AtomicBoolean();
        Service failingOnce = (in, out) -> {
            if (hasFailed.compareAndSet(false, true)) {
                throw new IllegalStateException("the first delivery fails");
            }
            out.forward(in);
        };
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = deployed(chain(ADD_ONE, failingOnce, ADD_ONE), loops)
                        .restart(RestartPolicy.backoff(Duration.ofMillis(1), Duration.ofMillis(10))
                                .afterServiceFailures())
                        .start();
                Requests<Long, Long> requests = requests(running)) {
            assumeTrue(
                    isDurable() || !transport.guarantees().contains(Guarantee.CROSS_PROCESS), "topics end with a run");
            assertThat(reply(ask(requests, 5))).contains(7L);
            assertThat(running.restarts()).isPositive();
        }
    }

    @Test
    void repliesComeFromEveryPartition() {
        try (Loops loops = Loops.cooperative(1);
                RunningChain running =
                        deployed(chain(ADD_ONE, ADD_ONE), loops).partitions(3).start();
                Requests<Long, Long> requests = requests(running)) {
            List<CompletableFuture<Optional<Long>>> all = new ArrayList<>();
            for (long value = 0; value < EACH; value++) {
                all.add(ask(requests, value));
            }
            for (int value = 0; value < EACH; value++) {
                assertThat(reply(all.get(value))).contains(value + 2L);
            }
        }
    }

    @Test
    void askersElsewhereGetTheirOwnReplies() {
        assumeTrue(
                isDurable() && transport.guarantees().contains(Guarantee.CROSS_PROCESS), "replies stay in the process");
        Chain chain = chain(ADD_ONE, ADD_ONE);
        try (Loops loops = Loops.cooperative(1);
                Loops others = Loops.cooperative(1);
                RunningChain asking =
                        chain.on(transport).partitions(2).only().with(loops).start();
                Requests<Long, Long> requests = requests(asking);
                RunningChain serving = chain.on(transport)
                        .partitions(2)
                        .only("s1", "s2")
                        .with(others)
                        .start()) {
            for (long value = 1; value <= EACH; value++) {
                assertThat(reply(ask(requests, value)))
                        .as("failure %s", serving.failure())
                        .contains(value + 2);
            }
        }
        for (int partition = 0; partition < 2; partition++) {
            try (TopicInspector last = transport.inspect(Partitions.of(2).topic(chain.topic(0, 2), partition))) {
                assertThat(last.acknowledged())
                        .as("positions that askers leave")
                        .isEmpty();
            }
        }
    }

    @Test
    void resendIsHandledOnce() {
        assumeCanReadFromATime();
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = remembering(chain(ADD_ONE, ADD_ONE), loops)
                        .onOutput(in -> handled.add(in.getLong(0)))
                        .start();
                Requests<Long, Long> requests = running.requests(NUMBERS, NUMBERS, 2 * EACH)) {
            List<CompletableFuture<Optional<Long>>> all = new ArrayList<>();
            for (long value = 0; value < EACH; value++) {
                all.add(askAgain(requests, value));
                all.add(askAgain(requests, value));
            }
            for (int i = 0; i < 2 * EACH; i++) {
                assertThat(reply(all.get(i))).contains(i / 2 + 2L);
                assertThat(reply(askAgain(requests, i / 2))).contains(i / 2 + 2L);
            }
        }
        assertThat(handled).hasSize(EACH);
    }

    @Test
    void laterStartsAnswerResends() {
        assumeTrue(isDurable(), "forgets requests");
        assumeCanReadFromATime();
        Service counting = (in, out) -> {
            handled.add(in.getLong(0));
            out.send(in.getLong(0) + 1, NUMBERS, in.key());
        };
        Chain chain = chain(counting, ADD_ONE);
        for (int life = 1; life <= 3; life++) {
            try (Loops loops = Loops.cooperative(1);
                    RunningChain running =
                            remembering(chain, loops).partitions(2).start();
                    Requests<Long, Long> requests = running.requests(NUMBERS, NUMBERS, EACH)) {
                for (long value = 1; value <= 5L * life; value++) {
                    assertThat(reply(askAgain(requests, value)))
                            .as("request %d of life %d", value, life)
                            .contains(value + 2);
                }
            }
        }
        assertThat(handled).doesNotHaveDuplicates().hasSize(15);
    }

    @Test
    void resendWaitsForAnUnansweredRequest() {
        assumeTrue(isDurable(), "forgets requests");
        assumeCanReadFromATime();
        Service refusing = (in, out) -> {
            throw new IllegalStateException("the first run fails");
        };
        Service counting = (in, out) -> {
            handled.add(in.getLong(0));
            out.forward(in);
        };
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = remembering(chain(refusing), loops)
                        .onFailure(cause -> {})
                        .start();
                Requests<Long, Long> requests = running.requests(NUMBERS, NUMBERS, EACH)) {
            assertThatThrownBy(() -> askAgain(requests, 7).get(limit().toNanos(), TimeUnit.NANOSECONDS))
                    .hasCauseInstanceOf(ChainFailedException.class);
        }
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = remembering(chain(counting), loops).start();
                Requests<Long, Long> requests = running.requests(NUMBERS, NUMBERS, EACH)) {
            assertThat(reply(askAgain(requests, 7))).contains(7L);
            assertThat(reply(askAgain(requests, 8))).contains(8L);
        }
        assertThat(handled).containsExactly(7L, 8L);
    }

    private void assumeCanReadFromATime() {
        assumeTrue(
                !isDurable() || transport.startPositions().contains(StartPosition.Kind.TIME), "cannot start at a time");
    }

    private Deployment remembering(Chain chain, Loops loops) {
        return chain.on(transport).with(loops).resends(100, Duration.ofMinutes(5));
    }

    private CompletableFuture<Optional<Long>> askAgain(Requests<Long, Long> requests, long value) {
        return requests.ask(key(value), value, UUID.nameUUIDFromBytes(payload(value)), limit());
    }

    @Test
    void laterAskerIgnoresRepliesToAnEarlierOne() {
        assumeTrue(
                isDurable() && transport.guarantees().contains(Guarantee.CROSS_PROCESS), "replies stay in the process");
        Chain chain = chain(ADD_ONE);
        CompletableFuture<Optional<Long>> earlier;
        try (Loops loops = Loops.cooperative(1);
                RunningChain asking = chain.on(transport).only().with(loops).start();
                Requests<Long, Long> requests = requests(asking)) {
            earlier = ask(requests, 1);
        }
        assertThatThrownBy(earlier::join).hasCauseInstanceOf(ChainClosedException.class);
        try (Loops loops = Loops.cooperative(1);
                Loops others = Loops.cooperative(1);
                RunningChain asking = chain.on(transport).only().with(loops).start();
                Requests<Long, Long> requests = requests(asking)) {
            CompletableFuture<Optional<Long>> later = ask(requests, 10);
            try (RunningChain serving =
                    chain.on(transport).only("s1").with(others).start()) {
                assertThat(reply(later)).as("failure %s", serving.failure()).contains(11L);
            }
            try (TopicInspector last = transport.inspect(chain.topic(0, 1))) {
                assertThat(last.newestSequence()).as("replies to both").isEqualTo(2);
            }
        }
    }

    @Test
    void askerWithoutHandlerNeedsADurableTransport() {
        assumeTrue(!isDurable(), "reads replies by itself");
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = chain(ADD_ONE).on(transport).with(loops).start()) {
            assertThatThrownBy(() -> requests(running))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("onOutput");
        }
    }

    private boolean isDurable() {
        return transport.guarantees().contains(Guarantee.DURABLE);
    }

    private Chain chain(Service... services) {
        Chain.Builder builder = Chain.named(name);
        for (int i = 0; i < services.length; i++) {
            Service service = services[i];
            builder.then("s" + (i + 1), () -> service);
        }
        return builder.build();
    }

    private Deployment deployed(Chain chain, Loops loops) {
        return chain.on(transport).with(loops).onOutput(in -> handled.add(in.getLong(0)));
    }

    private static Requests<Long, Long> requests(RunningChain running) {
        return running.requests(NUMBERS, NUMBERS);
    }

    private CompletableFuture<Optional<Long>> ask(Requests<Long, Long> requests, long value) {
        return requests.ask(key(value), value, limit());
    }

    private static ByteBuffer key(long value) {
        return ByteBuffer.wrap(payload(value));
    }

    private Optional<Long> reply(CompletableFuture<Optional<Long>> request) {
        try {
            return request.get(limit().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        } catch (ExecutionException | TimeoutException failed) {
            throw new AssertionError("no reply: " + failed, failed);
        }
    }
}
