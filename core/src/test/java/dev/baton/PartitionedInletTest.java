package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.SharedInlet.Offer;
import dev.baton.fixtures.HostileTransport;
import dev.baton.partitions.Partitions;
import dev.baton.run.Loops;
import dev.baton.spi.errors.TransportException;
import dev.baton.status.ChainStatus;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The shared inlet of a chain with partitions. */
class PartitionedInletTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int CAPACITY = 2;
    private static final Partitions PARTITIONS = Partitions.of(3);

    private final HostileTransport transport = new HostileTransport();
    private final List<String> received = new CopyOnWriteArrayList<>();
    private final MessageFields fields = new MessageFields();

    @Test
    void aKeySelectsThePartition() {
        try (Loops loops = Loops.manual();
                RunningChain running = deployment(loops).start()) {
            SharedInlet inlet = running.sharedInlet(CAPACITY);
            List<CompletableFuture<Long>> stored = new ArrayList<>();
            for (int partition = 0; partition < 3; partition++) {
                stored.add(inlet.offerStored(payload(), keyOf(partition)));
                assertThat(inlet.offer(payload(), keyOf(partition))).isEqualTo(Offer.ACCEPTED);
            }
            assertThat(running.close(LIMIT)).isTrue();
            assertThat(stored).allSatisfy(each -> assertThat(each).isCompletedWithValue(1L));
        }
        for (int partition = 0; partition < 3; partition++) {
            assertThat(transport.frames("c-0@" + partition)).hasSize(2);
        }
    }

    @Test
    void aMessageWithoutKeyIsRefused() {
        try (Loops loops = Loops.manual();
                RunningChain running = deployment(loops).start()) {
            SharedInlet inlet = running.sharedInlet(CAPACITY);
            assertThatThrownBy(() -> inlet.offer(new byte[1]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "a message without a key; chain c has 3 partitions, and the key selects one of them: set"
                                    + " it with MessageFields.key");
            assertThatThrownBy(() -> inlet.offerStored(new byte[1])).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void onePartitionNeedsNoKey() {
        try (Loops loops = Loops.manual();
                RunningChain running = deployment(loops).partitions(1).start()) {
            CompletableFuture<Long> stored = running.sharedInlet(CAPACITY).offerStored(new byte[1]);
            assertThat(running.close(LIMIT)).isTrue();
            assertThat(stored).isCompletedWithValue(1L);
        }
    }

    @Test
    void aFullPartitionRefusesOnlyItsMessages() {
        try (Loops loops = Loops.manual();
                RunningChain running = deployment(loops).start()) {
            SharedInlet inlet = running.sharedInlet(CAPACITY);
            for (int i = 0; i < CAPACITY; i++) {
                assertThat(inlet.offer(payload(), keyOf(1))).isEqualTo(Offer.ACCEPTED);
            }
            assertThat(inlet.offer(payload(), keyOf(1))).isEqualTo(Offer.FULL);
            assertThat(inlet.offer(payload(), keyOf(2))).isEqualTo(Offer.ACCEPTED);
        }
    }

    @Test
    void aClosedChainWithPartitionsTakesNothing() {
        try (Loops loops = Loops.manual()) {
            RunningChain running = deployment(loops).start();
            SharedInlet inlet = running.sharedInlet(CAPACITY);
            running.close();
            assertThat(inlet.offer(payload(), keyOf(0))).isEqualTo(Offer.CLOSED);
            assertThatThrownBy(() -> running.sharedInlet(1)).hasMessageContaining("closed");
        }
    }

    @Test
    void senderDoesNotWaitForAClose() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        try (Loops loops = Loops.cooperative(1);
                RunningChain running =
                        deployment(loops).onOutput(in -> released.await()).start()) {
            running.inlet(0).send(new byte[8]);
            CompletableFuture<Boolean> closing = CompletableFuture.supplyAsync(() -> running.close(LIMIT));
            await().until(() -> running.status(LIMIT).phase() == ChainStatus.Phase.CLOSING);
            CompletableFuture<?> sending = CompletableFuture.runAsync(() -> running.inlet(1));
            assertThat(sending).failsWithin(5, TimeUnit.SECONDS);
            assertThat(closing).isNotDone();
            released.countDown();
            assertThat(closing.get(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void partitionsHaveOneKindOfInlet() {
        try (Loops loops = Loops.manual();
                RunningChain running = deployment(loops).start()) {
            running.sharedInlet(CAPACITY);
            assertThatThrownBy(() -> running.sharedInlet(1)).hasMessageContaining("already: sharedInlet(...)");
            assertThatThrownBy(() -> running.inlet(0)).hasMessageContaining("already: sharedInlet(...)");
        }
        try (Loops loops = Loops.manual();
                RunningChain running = deployment(loops).start()) {
            running.inlet(0);
            assertThatThrownBy(() -> running.sharedInlet(1)).hasMessageContaining("already: inlet(partition)");
            assertThatThrownBy(() -> running.inlet(3)).hasMessage("partition 3; 0 to 2 are allowed");
        }
    }

    @Test
    void aFailedPartitionRefusesOnlyItsMessages() {
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = deployment(loops).start()) {
            SharedInlet inlet = running.sharedInlet(CAPACITY);
            inlet.offer(ByteBuffer.wrap(new byte[] {66}), keyOf(1));
            await().atMost(LIMIT).until(() -> running.failure().isPresent());
            assertThatThrownBy(() -> inlet.offer(payload(), keyOf(1))).isInstanceOf(ChainFailedException.class);
            assertThat(inlet.offerStored(payload(), keyOf(2)))
                    .succeedsWithin(LIMIT)
                    .isEqualTo(1L);
        }
    }

    @Test
    void aRestartedPartitionSendsWhatWaits() throws Exception {
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = deployment(loops)
                        .restart(RestartPolicy.backoff(Duration.ofMillis(1), Duration.ofMillis(10)))
                        .start()) {
            SharedInlet inlet = running.sharedInlet(CAPACITY);
            assertThat(inlet.offerStored(payload(), keyOf(0)).get(20, TimeUnit.SECONDS))
                    .isEqualTo(1);
            transport.backgroundFailure = new TransportException("the disk is away");
            await().atMost(LIMIT).until(() -> running.restarts() > 3);
            CompletableFuture<Long> waiting = inlet.offerStored(payload(), keyOf(0));
            transport.backgroundFailure = null;
            assertThat(waiting.get(20, TimeUnit.SECONDS)).isEqualTo(2);
            await().atMost(LIMIT).until(() -> running.status().phase() == ChainStatus.Phase.RUNNING); // the others too
            assertThat(running.close(LIMIT)).isTrue();
        }
    }

    @Test
    void aCloseBetweenRunsAnswersWhatWaits() {
        CompletableFuture<Long> waiting;
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = deployment(loops)
                        .restart(RestartPolicy.backoff(Duration.ofHours(1), Duration.ofHours(1)))
                        .start()) {
            SharedInlet inlet = running.sharedInlet(CAPACITY);
            transport.backgroundFailure = new TransportException("the disk is away");
            await().atMost(LIMIT).until(() -> running.restarts() == 3);
            waiting = inlet.offerStored(payload(), keyOf(0));
            assertThat(waiting).isNotDone();
            transport.backgroundFailure = null;
        }
        assertThatThrownBy(waiting::get).hasCauseInstanceOf(ChainClosedException.class);
    }

    private Deployment deployment(Loops loops) {
        return Chain.named("c")
                .then("s1", () -> (in, out) -> {
                    if (in.getByte(0) == 66) {
                        throw new IllegalStateException("cannot price this");
                    }
                    out.forward(in);
                })
                .build()
                .on(transport)
                .with(loops)
                .onFailure(cause -> {})
                .onOutput(in -> received.add("output"))
                .partitions(PARTITIONS.count());
    }

    private static ByteBuffer payload() {
        return ByteBuffer.wrap(new byte[1]);
    }

    /** Returns fields with a key of this partition. */
    private MessageFields keyOf(int partition) {
        byte key = 0;
        while (PARTITIONS.partitionOf(new byte[] {key}) != partition) {
            key++;
        }
        return fields.key(ByteBuffer.wrap(new byte[] {key}));
    }
}
