package dev.baton.tck.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.BackPressureException;
import dev.baton.Chain;
import dev.baton.ChainFailedException;
import dev.baton.Deployment;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.SharedInlet;
import dev.baton.StatefulService;
import dev.baton.run.Loops;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.state.SnapshotInput;
import dev.baton.state.SnapshotOutput;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.Turns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The contract on a chain that runs in two processes: the one started last continues, the other one stops, and no confirmed message is
 * lost.
 */
public abstract class RivalChainsTck extends RivalsTck {
    private static final String OWNER =
            "the newest writer of a topic wins, and the other one fails (Connection.openWriter)";
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(20);

    /** Called by the test of a transport. */
    protected RivalChainsTck() {}

    @Test
    void secondStartOfAChainStopsTheFirst() throws Exception {
        Set<Long> out = new ConcurrentSkipListSet<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        long confirmed;
        try (Loops firstLoops = Loops.cooperative(1);
                Loops secondLoops = Loops.cooperative(1);
                RunningChain first = start(transport, firstLoops, out, failure)) {
            for (long value = 1; value <= 100; value++) {
                first.inlet().send(payload(value));
            }
            new Turns(fixture.longestWait()).until("some outputs", "every message is delivered", () -> out.size() > 10);
            AtomicReference<Throwable> none = new AtomicReference<>();
            try (RunningChain second = start(closing(fixture.openAnother()), secondLoops, out, none)) {
                for (long value = 1_001; value <= 1_100; value++) {
                    second.inlet().send(payload(value));
                }
                long start = System.nanoTime();
                confirmed = sendUntilReplaced(first, failure);
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(fixture.replacedWithin());
                assertThat(failure.get()).isInstanceOf(ReplacedException.class);
                assertThat(second.close(CLOSE_LIMIT))
                        .as(second.failure().toString())
                        .isTrue();
                assertThat(none.get()).isNull();
            }
            assertThat(first.failure()).containsInstanceOf(ReplacedException.class);
        }
        assertThat(out)
                .containsAll(LongStream.rangeClosed(1, confirmed).boxed().toList())
                .containsAll(LongStream.rangeClosed(1_001, 1_100).boxed().toList());

        AtomicReference<Throwable> none = new AtomicReference<>();
        try (Loops loops = Loops.cooperative(1);
                RunningChain again = start(transport, loops, out, none)) {
            again.inlet().send(payload(5_000));
            assertThat(again.close(CLOSE_LIMIT)).as(again.failure().toString()).isTrue();
        }
        assertThat(out).contains(5_000L);
    }

    @Test
    void aReplacedSharedInletAnswersForEveryMessage() throws Exception {
        Set<Long> out = new ConcurrentSkipListSet<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<CompletableFuture<Long>> answers = new ArrayList<>();
        try (Loops firstLoops = Loops.cooperative(1);
                Loops secondLoops = Loops.cooperative(1);
                RunningChain first = start(transport, firstLoops, out, failure)) {
            SharedInlet inlet = first.sharedInlet(64);
            assertThat(inlet.offerStored(payload(1)).get(20, TimeUnit.SECONDS)).isEqualTo(1);
            try (RunningChain second =
                    start(closing(fixture.openAnother()), secondLoops, out, new AtomicReference<>())) {
                second.inlet().send(payload(1_001));
                new Turns(fixture.longestWait()).until("the first chain's end", OWNER, () -> {
                    answers.add(inlet.offerStored(payload(2)));
                    return failure.get() != null;
                });
                assertThat(answers)
                        .allSatisfy(answer -> assertThat(answer.handle((sequence, thrown) -> thrown)
                                        .get(20, TimeUnit.SECONDS))
                                .satisfiesAnyOf(
                                        thrown -> assertThat(thrown).isNull(),
                                        thrown -> assertThat(thrown).isInstanceOf(BackPressureException.class),
                                        thrown -> assertThat(thrown)
                                                .isInstanceOf(ChainFailedException.class)
                                                .hasCauseInstanceOf(ReplacedException.class)));
                assertThat(inlet.offerStored(payload(3)))
                        .failsWithin(Duration.ofSeconds(20))
                        .withThrowableThat()
                        .havingCause()
                        .isInstanceOf(ChainFailedException.class)
                        .havingCause()
                        .isInstanceOf(ReplacedException.class);
            }
        }
    }

    @Test
    void chainWithoutItsSnapshotsAnswersNothing() {
        assumeTrue(transport.guarantees().contains(Guarantee.DURABLE), "keeps snapshots");
        Set<Long> out = new ConcurrentSkipListSet<>();
        try (Loops loops = Loops.cooperative(1);
                RunningChain first = startCounting(loops, out, () -> {})) {
            first.inlet().send(payload(1));
            assertThat(first.close(CLOSE_LIMIT)).as(first.failure().toString()).isTrue();
        }
        assertThat(out).containsExactly(1L);
        TopicProbe input = probe(connect(transport), name + "-0");
        input.write("message 2");
        input.awaitStored();
        input.writer().close();

        try (Loops loops = Loops.cooperative(1)) {
            assertThatThrownBy(() -> {
                        try (RunningChain without = startCounting(loops, out, this::takeSnapshotsOver)) {
                            new Turns(fixture.longestWait())
                                    .until(
                                            "a failure",
                                            OWNER,
                                            () -> without.failure().isPresent());
                            throw without.failure().get();
                        }
                    })
                    .hasStackTraceContaining(ReplacedException.class.getName())
                    .hasStackTraceContaining(name + "-0.snapshots");
        }
        assertThat(out).containsExactly(1L);
        try (Loops loops = Loops.cooperative(1);
                RunningChain next = startCounting(loops, out, () -> {})) {
            new Turns(fixture.longestWait()).until("an answer", "every message is delivered", () -> out.size() > 1);
            assertThat(next.close(CLOSE_LIMIT)).as(next.failure().toString()).isTrue();
        }
        assertThat(out).as("what was answered once").containsExactly(1L, 2L);
    }

    @Test
    void failedStartKeepsTopicsThatAnotherProcessOpened() {
        Set<Long> out = new ConcurrentSkipListSet<>();
        AtomicReference<RunningChain> first = new AtomicReference<>();
        try (Loops firstLoops = Loops.cooperative(1);
                Loops secondLoops = Loops.cooperative(1)) {
            Transport another = closing(fixture.openAnother());
            Runnable failing = () -> {
                first.set(twoServices(() -> {}, another, firstLoops).only("s1").start());
                throw new IllegalStateException("no licence");
            };
            assertThatThrownBy(() -> twoServices(failing, transport, secondLoops)
                            .only("s2")
                            .start())
                    .hasStackTraceContaining("no licence");
            try (RunningChain writing = first.get();
                    RunningChain reading = twoServices(() -> {}, transport, secondLoops)
                            .only("s2")
                            .onOutput(in -> out.add(in.getLong(0)))
                            .start()) {
                writing.inlet().send(payload(7));
                new Turns(fixture.longestWait())
                        .until("the output", "every message is delivered", () -> !out.isEmpty());
                assertThat(reading.failure()).isEmpty();
            }
        }
        assertThat(out).containsExactly(7L);
    }

    /** Deploys a chain of two services that pass messages on; the callback is made when the second one starts. */
    private Deployment twoServices(Runnable atStart, Transport on, Loops loops) {
        Service starting = new Service() {
            @Override
            public void onStart(ServiceContext context) {
                atStart.run();
            }

            @Override
            public void onMessage(Message in, Outlet out) {
                out.forward(in);
            }
        };
        return Chain.named(name)
                .then("s1", () -> (in, to) -> to.forward(in))
                .then("s2", () -> starting)
                .build()
                .on(on)
                .with(loops)
                .onFailure(cause -> {});
    }

    /** Becomes the owner of the snapshots, as another process that starts at the same time. */
    private void takeSnapshotsOver() {
        TopicProbe rival = probe(connect(closing(fixture.openAnother())), name + "-0.snapshots");
        rival.writer().close();
    }

    /** Starts a chain whose service counts its messages; the callback is made when the topics are open, before the first message. */
    private RunningChain startCounting(Loops loops, Set<Long> out, Runnable atStart) {
        return Chain.named(name)
                .then("s1", () -> new Counting(atStart))
                .build()
                .on(transport)
                .with(loops)
                .onFailure(cause -> {})
                .onOutput(in -> out.add(in.getLong(0)))
                .start();
    }

    /** A service that answers each message with the number of messages so far. */
    private static final class Counting implements StatefulService {
        private final Runnable atStart;
        private long count;

        Counting(Runnable atStart) {
            this.atStart = atStart;
        }

        @Override
        public void onStart(ServiceContext context) {
            atStart.run();
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            out.claim(Long.BYTES).putLong(0, ++count).commit(Long.BYTES);
        }

        @Override
        public int snapshotVersion() {
            return 1;
        }

        @Override
        public boolean saveState(SnapshotOutput out) {
            out.putLong(count);
            return true;
        }

        @Override
        public void restoreState(SnapshotInput in, int version) {
            count = in.getLong();
        }
    }

    /** Sends numbers from 101 on, and returns the last confirmed one. */
    private long sendUntilReplaced(RunningChain chain, AtomicReference<Throwable> failure) {
        long stored = 0;
        Turns turns = new Turns(fixture.longestWait());
        for (long value = 101; failure.get() == null; value++) {
            try {
                chain.inlet().send(payload(value));
                stored = chain.inlet().storedSequence();
            } catch (RuntimeException replaced) {
                turns.until("the chain's end", OWNER, () -> failure.get() != null);
            }
        }
        return stored;
    }

    private RunningChain start(Transport over, Loops loops, Set<Long> out, AtomicReference<Throwable> failure) {
        return Chain.named(name)
                .then("s1", () -> (in, to) -> to.forward(in))
                .then("s2", () -> (in, to) -> to.forward(in))
                .build()
                .on(over)
                .with(loops)
                .onFailure(cause -> failure.compareAndSet(null, cause))
                .onOutput(in -> out.add(in.getLong(0)))
                .start();
    }
}
