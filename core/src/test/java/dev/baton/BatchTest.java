package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Inlet.Batch;
import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.errors.ReplacedException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A batch of an inlet: handed over at its end, when there is no room, or by the close of its chain. */
class BatchTest {
    private final HostileTransport transport = new HostileTransport();
    private final Loops loops = Loops.manual();
    private RunningChain running = start(in -> {});

    @AfterEach
    void close() {
        transport.backgroundFailure = null;
        running.close();
        loops.close();
        assertThat(transport.openConnections).isZero();
    }

    @Test
    void nothingIsHandedOverBeforeEndOrFlush() {
        Inlet inlet = running.inlet();
        try (Batch batch = inlet.batch()) {
            batch.send(new byte[1]);
            inlet.send(ByteBuffer.wrap(new byte[2], 0, 1), new MessageFields().type(7)); // part of the batch as well
            assertThat(handedOver()).isZero();
            assertThat(inlet.sequence()).isEqualTo(2);
            batch.flush();
            assertThat(handedOver()).isEqualTo(2);
            batch.tryClaim(8).commit(0);
            assertThat(handedOver()).isEqualTo(2);
        }
        assertThat(handedOver()).isEqualTo(3);
        inlet.send(new byte[1]);
        assertThat(handedOver()).isEqualTo(4);
    }

    @Test
    void exceptionInBatchAbortsOnlyTheOpenClaim() {
        Inlet inlet = running.inlet();
        assertThatThrownBy(() -> {
                    try (Batch batch = inlet.batch()) {
                        batch.send(new byte[1]);
                        batch.tryClaim(1);
                        throw new IllegalStateException("in the block");
                    }
                })
                .hasMessage("in the block")
                .hasNoSuppressedExceptions();
        assertThat(handedOver()).isEqualTo(1);
        inlet.send(new byte[1]);
        assertThat(handedOver()).isEqualTo(2);
    }

    @Test
    void batchWithoutRoomSendsItsCommits() {
        try (Batch batch = running.inlet().batch()) {
            for (int i = 0; i < transport.room; i++) {
                batch.tryClaim(0).commit(0);
            }
            assertThat(handedOver()).isZero();
            assertThat(batch.tryClaim(0)).isNull();
            assertThat(handedOver()).isEqualTo(transport.room);
            loops.turn();
            batch.tryClaim(0).commit(0);
            assertThat(handedOver()).isEqualTo(transport.room);
        }
        assertThat(handedOver()).isEqualTo(transport.room + 1);
    }

    @Test
    void oneBatchAtATimeWithoutOpenClaim() {
        Inlet inlet = running.inlet();
        Claim claim = inlet.tryClaim(1);
        assertThatThrownBy(inlet::batch).hasMessage("commit or abort the open claim first");
        claim.abort();
        Batch batch = inlet.batch();
        assertThatThrownBy(inlet::batch).hasMessage("a batch of this inlet is open; close it first");
        batch.close();
        batch.close();
        assertThatThrownBy(() -> batch.send(new byte[1])).hasMessage("the batch is closed");
        inlet.batch().close();
    }

    @Test
    void closeOfChainHandsOverOpenBatch() {
        transport.sendsInTurns = true;
        Batch batch = running.inlet().batch();
        batch.send(new byte[1]);
        assertThat(running.close(RunningChain.CLOSE_LIMIT)).isTrue();
        assertThat(handedOver()).isEqualTo(1);
        batch.close();
        assertThatThrownBy(() -> batch.send(new byte[1])).hasMessageContaining("is closed");
    }

    @Test
    void batchOfFailedChainTakesNoMore() {
        running.close();
        running = start(in -> {
            throw new IllegalStateException("no");
        });
        Inlet inlet = running.inlet();
        inlet.send(new byte[1]);
        int before = handedOver();
        try (Batch batch = inlet.batch()) {
            batch.send(new byte[1]);
            loops.turn();
            assertThatThrownBy(() -> batch.send(new byte[1])).isInstanceOf(ChainFailedException.class);
        }
        assertThat(handedOver()).isEqualTo(before + 1);
        assertThatThrownBy(inlet::batch).isInstanceOf(ChainFailedException.class);
    }

    @Test
    void replacedWriterFailsChainOfBatchWithoutRoom() {
        Inlet inlet = running.inlet();
        Batch batch = inlet.batch();
        while (batch.offer(new byte[0], BytesCodec.INSTANCE)) {
            assertThat(inlet.sequence()).isLessThanOrEqualTo(transport.room);
        }
        transport.backgroundFailure = new ReplacedException("c-0", "a newer writer is at work");
        assertThatThrownBy(() -> batch.tryClaim(0))
                .isInstanceOf(ChainFailedException.class)
                .hasCause(transport.backgroundFailure);
        assertThat(running.failure()).containsInstanceOf(ReplacedException.class);
        batch.close();
    }

    @Test
    void batchBelongsToThreadOfItsInlet() {
        Batch batch = running.inlet().batch();
        CompletableFuture<Void> other = CompletableFuture.runAsync(batch::close);
        assertThatThrownBy(other::join).hasMessageContaining("belongs to thread");
        batch.send(new byte[1]);
        batch.close();
    }

    private enum BytesCodec implements ValueCodec<byte[]> {
        INSTANCE;

        @Override
        public int maxLength(byte[] value) {
            return value.length;
        }

        @Override
        public int encode(byte[] value, Claim into) {
            into.putBytes(0, value, 0, value.length);
            return value.length;
        }

        @Override
        public byte[] decode(Message from) {
            byte[] value = new byte[from.length()];
            from.getBytes(0, value, 0, value.length);
            return value;
        }
    }

    private int handedOver() {
        return transport.topic("c-0").size();
    }

    private RunningChain start(OutputHandler handler) {
        return Chain.named("c")
                .build()
                .on(transport)
                .with(loops)
                .onFailure(cause -> {})
                .onOutput(handler)
                .start();
    }
}
