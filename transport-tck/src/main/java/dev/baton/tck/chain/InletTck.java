package dev.baton.tck.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.Inlet;
import dev.baton.Inlet.Batch;
import dev.baton.RunningChain;
import dev.baton.Sender;
import dev.baton.run.Idle;
import dev.baton.run.Loops;
import dev.baton.tck.Turns;
import dev.baton.tck.harness.AllocationMeter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract on batches of an inlet, complete or interrupted. */
public abstract class InletTck extends WholeChainTck {
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(30);
    private static final Duration TURNING = Duration.ofSeconds(60);
    private static final long ROOM_NANOS = 20_000;
    private static final int FEW = 5;
    private static final int MANY = 1_000;

    private final List<Long> received = new CopyOnWriteArrayList<>();

    /** Called by the test of a transport. */
    protected InletTck() {}

    @Test
    void batchIsSentInOrderAtItsEnd() {
        try (Loops loops = Loops.cooperative(1)) {
            RunningChain running = start(loops);
            Inlet inlet = running.inlet();
            try (Batch batch = inlet.batch()) {
                send(batch, 1, FEW);
                LockSupport.parkNanos(fixture.settle().toNanos()); // watches for a flush that must not happen
                assertThat(received).isEmpty();
            }
            send(inlet, FEW + 1, 2 * FEW);
            assertCloses(running);
        }
        assertReceived(2 * FEW);
    }

    @Test
    void batchThatThrowsHandsOverTheMessagesBefore() {
        try (Loops loops = Loops.cooperative(1)) {
            RunningChain running = start(loops);
            Inlet inlet = running.inlet();
            assertThatThrownBy(() -> {
                        try (Batch batch = inlet.batch()) {
                            send(batch, 1, FEW);
                            batch.tryClaim(Long.BYTES).putLong(0, 666);
                            throw new IllegalStateException("half way");
                        }
                    })
                    .hasMessage("half way");
            new Turns(fixture.longestWait())
                    .until(
                            "what was sent",
                            "every message that an inlet has sent is delivered",
                            () -> received.size() == FEW);
            send(inlet, FEW + 1, FEW + 1);
            assertCloses(running);
        }
        assertReceived(FEW + 1);
    }

    @Test
    void aBatchMayBeLongerThanTheTopic() {
        int messages = Math.min(
                fixture.manyFrames(), Math.max(MANY, 3 * fixture.backlog().orElse(0)));
        try (Loops loops = Loops.cooperative(1)) {
            RunningChain running = start(loops);
            try (Batch batch = running.inlet().batch()) {
                send(batch, 1, messages);
            }
            assertCloses(running);
        }
        assertReceived(messages);
    }

    @Test
    void closingTheChainStoresAnOpenBatch() {
        try (Loops loops = Loops.cooperative(1)) {
            RunningChain running = start(loops);
            Batch batch = running.inlet().batch();
            send(batch, 1, FEW);
            assertCloses(running);
            batch.close();
        }
        assertReceived(FEW);
    }

    @Test
    void closingByAnotherThreadStoresAnOpenBatch() {
        try (Loops loops = Loops.cooperative(1)) {
            RunningChain running = start(loops);
            Batch batch = running.inlet().batch();
            send(batch, 1, FEW);
            CompletableFuture.runAsync(() -> assertCloses(running)).join();
            batch.close();
            assertThatThrownBy(() -> batch.send(new byte[1])).hasMessageContaining("is closed");
        }
        assertReceived(FEW);
    }

    @Test
    @Tag("allocation")
    void batchesAllocateNothingOnceWarm() {
        assumeTrue(fixture.allocatesNothing(), "this transport does not claim it");
        AtomicLong count = new AtomicLong();
        try (Loops loops = Loops.manual().idle(Idle.spin());
                RunningChain running = Chain.named(fixture.newTopic())
                        .build()
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> count.lazySet(count.get() + 1))
                        .start()) {
            Inlet inlet = running.inlet();
            AllocationMeter.assertNothingAllocated(
                    messages -> {
                        for (int sent = 0; sent < messages; sent += FEW) {
                            long due = count.get() + FEW;
                            try (Batch batch = inlet.batch()) {
                                for (int i = 0; i < FEW; i++) {
                                    claimed(batch, loops).putLong(0, i).commit(Long.BYTES);
                                }
                            }
                            long deadline = System.nanoTime() + TURNING.toNanos();
                            while (count.get() != due) {
                                loops.turn();
                                if (System.nanoTime() - deadline > 0) {
                                    throw new AssertionError("a message did not arrive");
                                }
                            }
                        }
                    },
                    1);
            assertThat(running.failure()).isEmpty();
        }
    }

    /** Returns a claim, at once or when the transport has room for it. */
    private static Claim claimed(Batch batch, Loops loops) {
        long deadline = System.nanoTime() + TURNING.toNanos();
        Claim claim = batch.tryClaim(Long.BYTES);
        while (claim == null) {
            loops.turn();
            LockSupport.parkNanos(ROOM_NANOS);
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("there is no room");
            }
            claim = batch.tryClaim(Long.BYTES);
        }
        return claim;
    }

    private RunningChain start(Loops loops) {
        return Chain.named(fixture.newTopic())
                .build()
                .on(transport)
                .with(loops)
                .onOutput(in -> received.add(in.getLong(0)))
                .start();
    }

    private void send(Sender sender, long first, long last) {
        long limit = System.nanoTime() + fixture.longestWait().toNanos();
        for (long value = first; value <= last; value++) {
            Claim claim = sender.tryClaim(Long.BYTES);
            while (claim == null) {
                if (System.nanoTime() - limit > 0) {
                    throw new AssertionError("no room for message " + value);
                }
                LockSupport.parkNanos(10_000);
                claim = sender.tryClaim(Long.BYTES);
            }
            claim.putLong(0, value).commit(Long.BYTES);
        }
    }

    private static void assertCloses(RunningChain running) {
        assertThat(running.close(CLOSE_WITHIN))
                .as("failure %s", running.failure())
                .isTrue();
    }

    private void assertReceived(long last) {
        assertThat(received).isEqualTo(LongStream.rangeClosed(1, last).boxed().toList());
    }
}
