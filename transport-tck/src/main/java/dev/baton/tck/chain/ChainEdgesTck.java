package dev.baton.tck.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.ChainClosedException;
import dev.baton.Deployment;
import dev.baton.Inlet;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.RestartPolicy;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.SharedInlet;
import dev.baton.SharedInlet.Offer;
import dev.baton.run.Loops;
import dev.baton.tck.Turns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The contract on the life of a chain: failed starts, sources that throw, and messages in flight at the close. */
public abstract class ChainEdgesTck extends WholeChainTck {
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(30);

    private final CountDownLatch isBlocked = new CountDownLatch(1);
    private final CountDownLatch free = new CountDownLatch(1);

    /** Called by the test of a transport. */
    protected ChainEdgesTck() {}

    @Test
    void failedStartLeavesNoTopicUnlessOthersMayUse() {
        String name = fixture.newTopic();
        Chain chain = Chain.named(name)
                .then("s1", () -> (in, out) -> out.forward(in))
                .then("s2", RefusedToStart::new)
                .build();
        transport.createTopics(List.of(chain.topic(0, 1)));
        try (Loops loops = Loops.cooperative(1)) {
            assertThatThrownBy(
                            () -> chain.on(transport)
                                    .with(loops)
                                    .onFailure(cause -> {})
                                    .start(),
                            "a start whose service throws")
                    .hasStackTraceContaining("no licence");
            List<String> all = List.of(chain.topic(0, 0), chain.topic(0, 1), chain.topic(0, 2));
            assertThat(transport.existing(Set.copyOf(all)))
                    .as("topics after a start that failed")
                    .hasSameElementsAs(keepsTopicsOfFailedStarts() ? all : all.subList(1, 2));
            transport.deleteTopics(all);
            Chain other = Chain.named(name)
                    .then("another", () -> (in, out) -> out.forward(in))
                    .build();
            assertStarts(other, loops);
        }
    }

    private static final class RefusedToStart implements Service {
        @Override
        public void onStart(ServiceContext context) {
            throw new IllegalStateException("no licence");
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            out.forward(in);
        }
    }

    @Test
    void slowStartBlocksNoOtherStart() {
        Chain chain = Chain.named(fixture.newTopic())
                .then("s1", this::slowToStart)
                .then("s2", this::slowToStart)
                .build();
        try (Loops loops = Loops.cooperative(1)) {
            Deployment impatient = chain.on(transport)
                    .with(loops)
                    .openWithin(Duration.ofMillis(100))
                    .onFailure(cause -> {});
            assertThatThrownBy(impatient::start).hasMessageContaining("within 100 ms");
            free.countDown();
            assertStarts(chain, loops);
        }
    }

    @Test
    void interruptedStartBlocksNoOtherStart() throws InterruptedException {
        Chain chain =
                Chain.named(fixture.newTopic()).then("s1", this::slowToStart).build();
        try (Loops loops = Loops.cooperative(1)) {
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread starter = new Thread(
                    () -> chain.on(transport).with(loops).onFailure(cause -> {}).start());
            starter.setUncaughtExceptionHandler((thread, failure) -> thrown.set(failure));
            starter.start();
            long limit = fixture.longestWait().toMillis();
            assertThat(isBlocked.await(limit, TimeUnit.MILLISECONDS))
                    .as("a service starts within %d ms", limit)
                    .isTrue();
            starter.interrupt();
            starter.join(limit);
            assertThat(thrown.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("interrupted");
            free.countDown();
            assertStarts(chain, loops);
        }
    }

    @Test
    void sourceThatThrowsSendsNothingInThatTurn() {
        Chain chain = Chain.named(fixture.newTopic()).build();
        AtomicInteger turns = new AtomicInteger();
        try (Loops loops = Loops.cooperative(1)) {
            RunningChain failing = chain.on(transport)
                    .with(loops)
                    .onFailure(cause -> {})
                    .onOutput(in -> {})
                    .from(out -> {
                        out.claim(0).commit(0);
                        if (turns.incrementAndGet() == 3) {
                            throw new IllegalStateException("cannot read on");
                        }
                        return 1;
                    })
                    .start();
            new Turns(fixture.longestWait())
                    .until(
                            "the failure",
                            "a service that throws stops its chain with that reason",
                            () -> failing.failure().isPresent());
            failing.close(CLOSE_WITHIN);
            try (RunningChain next = chain.on(transport).with(loops).start()) {
                assertThat(next.inlet().sequence())
                        .as("messages of the turns that did not throw")
                        .isEqualTo(2);
            }
        }
    }

    @Test
    void sharedInletReportsWhenMessagesAreStored() {
        Chain chain = Chain.named(fixture.newTopic()).build();
        try (Loops loops = Loops.cooperative(1)) {
            RunningChain running =
                    chain.on(transport).with(loops).onOutput(in -> {}).start();
            SharedInlet inlet = running.sharedInlet(64);
            List<CompletableFuture<Long>> stored = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                stored.add(inlet.offerStored(new byte[8]));
            }
            for (int i = 0; i < 5; i++) {
                assertThat(stored.get(i))
                        .as("the answer of message " + (i + 1))
                        .succeedsWithin(fixture.longestWait())
                        .isEqualTo(i + 1L);
            }
            CompletableFuture<Long> last = inlet.offerStored(new byte[8]);
            assertThat(running.close(CLOSE_WITHIN)).isTrue();
            assertThat(last).isCompletedWithValue(6L);
            assertThat(inlet.offer(new byte[8])).isEqualTo(Offer.CLOSED);
            assertThatThrownBy(() -> inlet.offerStored(new byte[8])
                            .orTimeout(fixture.longestWait().toMillis(), TimeUnit.MILLISECONDS)
                            .join())
                    .hasCauseInstanceOf(ChainClosedException.class);
        }
    }

    @Test
    void reopenedChainLosesNothingAndItsInletContinues() {
        List<Long> received = Collections.synchronizedList(new ArrayList<>());
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = failingTwice(loops, received)) {
            Turns turns = new Turns(fixture.longestWait());
            Inlet inlet = running.inlet();
            for (long value = 1; value <= 5; value++) {
                inlet.send(payload(value));
                long sent = value;
                turns.until(
                        "a stored message",
                        "a flushed frame is stored in the end, or its loss is reported (TopicWriter.storedSequence)",
                        () -> inlet.storedSequence() >= sent);
            }
            turns.until(
                    "two restarts",
                    "a chain that is started again continues where it was",
                    () -> running.restarts() == 2 && received.contains(5L));
            inlet.send(payload(6));
            turns.until(
                    "what is sent behind them",
                    "a chain that is started again continues where it was",
                    () -> received.contains(6L));
            assertThat(running.close(CLOSE_WITHIN))
                    .as("failure %s", running.lastFailure())
                    .isTrue();
        }
        assertThat(received).containsSubsequence(1L, 2L, 3L, 4L, 5L, 6L).allMatch(value -> value >= 1 && value <= 6);
    }

    @Test
    void reopenedSharedInletKeepsConfirmedMessages() {
        List<Long> received = Collections.synchronizedList(new ArrayList<>());
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = failingTwice(loops, received)) {
            Turns turns = new Turns(fixture.longestWait());
            SharedInlet inlet = running.sharedInlet(64);
            for (long value = 1; value <= 5; value++) {
                offerUntilStored(inlet, value, turns);
            }
            turns.until(
                    "two restarts",
                    "a chain that is started again continues where it was",
                    () -> running.restarts() == 2 && received.contains(5L));
            offerUntilStored(inlet, 6, turns);
            turns.until(
                    "what is sent behind them",
                    "a chain that is started again continues where it was",
                    () -> received.contains(6L));
            assertThat(running.close(CLOSE_WITHIN))
                    .as("failure %s", running.lastFailure())
                    .isTrue();
            assertThat(inlet.offer(payload(7))).isEqualTo(Offer.CLOSED);
        }
        assertThat(received).containsSubsequence(1L, 2L, 3L, 4L, 5L, 6L).allMatch(value -> value >= 1 && value <= 6);
    }

    /** Sends again if a run failed before the message was reported as stored. */
    private static void offerUntilStored(SharedInlet inlet, long value, Turns turns) {
        CompletableFuture<Long> answer;
        do {
            CompletableFuture<Long> asked = inlet.offerStored(payload(value));
            turns.until(
                    "the answer of message " + value,
                    "each message of a shared inlet is confirmed or fails",
                    asked::isDone);
            answer = asked;
        } while (answer.isCompletedExceptionally());
    }

    /** Returns a chain whose service throws twice at value 3. */
    private RunningChain failingTwice(Loops loops, List<Long> received) {
        AtomicInteger failures = new AtomicInteger(2);
        return Chain.named(fixture.newTopic())
                .then("s1", () -> (in, out) -> {
                    if (in.getLong(0) == 3 && failures.getAndDecrement() > 0) {
                        throw new IllegalStateException("not yet");
                    }
                    out.forward(in);
                })
                .build()
                .on(transport)
                .with(loops)
                .onOutput(in -> received.add(in.getLong(0)))
                .restart(RestartPolicy.backoff(Duration.ofMillis(1), Duration.ofMillis(10))
                        .afterServiceFailures())
                .start();
    }

    private void assertStarts(Chain chain, Loops loops) {
        RunningChain running = chain.on(transport).with(loops).start();
        running.inlet().send(new byte[8]);
        assertThat(running.close(CLOSE_WITHIN))
                .as("failure %s", running.failure())
                .isTrue();
    }

    /** A service whose first call lasts until {@link #free} is down. */
    private Service slowToStart() {
        return new Service() {
            @Override
            public void onStart(ServiceContext context) throws InterruptedException {
                isBlocked.countDown();
                free.await();
            }

            @Override
            public void onMessage(Message in, Outlet out) {
                out.forward(in);
            }
        };
    }
}
