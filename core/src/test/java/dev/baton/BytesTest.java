package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.SharedInlet.Offer;
import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Payloads as bytes and buffers: parts of them, without copies, and never beyond their bounds. */
class BytesTest {
    private static final byte[] TEXT = "0123456789".getBytes(StandardCharsets.US_ASCII);

    private final HostileTransport transport = new HostileTransport();
    private final Loops loops = Loops.manual();
    private final List<String> received = new ArrayList<>();
    private OutputHandler handler = in -> received.add(in.type() + ":" + text(in.payload()));
    private final RunningChain running = Chain.named("c")
            .build()
            .on(transport)
            .with(loops)
            .onFailure(cause -> {})
            .onOutput(in -> handler.onOutput(in))
            .start();
    private final Inlet inlet = running.inlet();

    @AfterEach
    void close() {
        running.close();
        loops.close();
    }

    @Test
    void partOfArrayIsSentWithItsType() {
        inlet.send(ByteBuffer.wrap(TEXT, 2, 3), new MessageFields().type(7));
        inlet.send(ByteBuffer.wrap(TEXT, 10, 0), new MessageFields().type(8));
        loops.turn();
        assertThat(received).containsExactly("7:234", "8:");
    }

    @Test
    void bufferIsSentFromPositionToLimitUnchanged() {
        ByteBuffer direct = ByteBuffer.allocateDirect(10).put(TEXT).position(4).limit(6);
        ByteBuffer readOnly = ByteBuffer.wrap(TEXT, 1, 2).asReadOnlyBuffer();
        inlet.send(direct, new MessageFields().type(1));
        inlet.send(readOnly, new MessageFields().type(2));
        loops.turn();
        assertThat(received).containsExactly("1:45", "2:12");
        assertThat(List.of(direct.position(), direct.limit(), readOnly.position(), readOnly.limit()))
                .containsExactly(4, 6, 1, 3);
    }

    @Test
    void bytesOutsideTheArrayLeaveNoClaimOpen() {
        assertThatThrownBy(() -> inlet.send(ByteBuffer.wrap(TEXT, 8, 3), new MessageFields().type(7)))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> inlet.send(ByteBuffer.wrap(TEXT, -1, 3), new MessageFields().type(7)))
                .isInstanceOf(IndexOutOfBoundsException.class);
        inlet.send(ByteBuffer.wrap(TEXT, 8, 2), new MessageFields().type(7));
        loops.turn();
        assertThat(received).containsExactly("7:89");
    }

    @Test
    void claimIsFilledThroughItsBoundedView() {
        Claim claim = inlet.tryClaim(4);
        ByteBuffer view = claim.payload();
        assertThat(view.remaining()).isEqualTo(4);
        assertThat(view.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
        view.put(TEXT, 0, 4);
        assertThatThrownBy(() -> view.put((byte) 1)).isInstanceOf(BufferOverflowException.class);
        claim.putBytes(1, ByteBuffer.wrap(TEXT), 8, 2);
        assertThatThrownBy(() -> claim.putBytes(3, ByteBuffer.wrap(TEXT), 0, 2))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> claim.putBytes(0, ByteBuffer.wrap(TEXT), 9, 2))
                .isInstanceOf(IndexOutOfBoundsException.class);
        claim.type(3).commit(4);
        assertThatThrownBy(claim::payload).hasMessageContaining("committed or aborted");
        loops.turn();
        assertThat(received).containsExactly("3:0893");
    }

    @Test
    void messageIsReadThroughReusedReadOnlyView() {
        handler = in -> {
            ByteBuffer view = in.payload();
            received.add(text(view.order(ByteOrder.BIG_ENDIAN)));
            assertThat(view.position(view.limit())).isSameAs(in.payload());
            assertThat(view.remaining()).isEqualTo(in.length());
            assertThat(view.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
            assertThatThrownBy(() -> view.put(view.position(), (byte) 1)).isInstanceOf(ReadOnlyBufferException.class);
        };
        inlet.send(ByteBuffer.wrap(TEXT, 0, 4), new MessageFields().type(0));
        inlet.send(ByteBuffer.wrap(TEXT, 4, 6), new MessageFields().type(0));
        loops.turn();
        assertThat(running.failure()).isEmpty();
        assertThat(received).containsExactly("0123", "456789");
    }

    @Test
    void messagePartsAreCopiedWithinBothBounds() {
        ByteBuffer target = ByteBuffer.allocate(4).put("____".getBytes(StandardCharsets.US_ASCII));
        handler = in -> {
            in.getBytes(8, target, 1, 2);
            assertThatThrownBy(() -> in.getBytes(9, target, 0, 2)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> in.getBytes(0, target, 3, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        };
        inlet.send(TEXT);
        loops.turn();
        assertThat(running.failure()).isEmpty();
        assertThat(new String(target.array(), StandardCharsets.US_ASCII)).isEqualTo("_89_");
        assertThat(target.position()).isEqualTo(4);
    }

    @Test
    void sharedInletTakesArrayPartsWithTypes() {
        try (RunningChain shared = Chain.named("s")
                .build()
                .on(transport)
                .with(loops)
                .onOutput(in -> received.add(in.type() + ":" + text(in.payload())))
                .start()) {
            SharedInlet many = shared.sharedInlet(2);
            assertThat(many.offer(ByteBuffer.wrap(TEXT, 2, 3), new MessageFields().type(7)))
                    .isEqualTo(Offer.ACCEPTED);
            var stored = many.offerStored(ByteBuffer.wrap(TEXT, 5, 1), new MessageFields().type(8));
            loops.turn();
            loops.turn();
            assertThat(received).containsExactly("7:234", "8:5");
            assertThat(stored).isCompletedWithValue(2L);
        }
    }

    private static String text(ByteBuffer view) {
        byte[] bytes = new byte[view.remaining()];
        view.get(view.position(), bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }
}
