package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages, claims and views of their memory that are used after their time. */
class RetainedViewTest {
    private static final Map<String, Function<Message, Object>> READS = Map.ofEntries(
            Map.entry("key", Message::key),
            Map.entry("trace", Message::trace),
            Map.entry("sequence", Message::sequence),
            Map.entry("cause", Message::cause),
            Map.entry("isOfTick", Message::isOfTick),
            Map.entry("originNanos", Message::originNanos),
            Map.entry("originWallNanos", Message::originWallNanos),
            Map.entry("sentNanos", Message::sentNanos),
            Map.entry("length", Message::length),
            Map.entry("getByte", in -> in.getByte(0)),
            Map.entry("getShort", in -> in.getShort(0)),
            Map.entry("getInt", in -> in.getInt(0)),
            Map.entry("getLong", in -> in.getLong(0)),
            Map.entry("getDouble", in -> in.getDouble(0)),
            Map.entry("payload", Message::payload));

    private final Loops loops = Loops.manual();
    private final AtomicReference<Message> message = new AtomicReference<>();
    private final AtomicReference<ByteBuffer> payload = new AtomicReference<>();
    private final AtomicReference<ByteBuffer> key = new AtomicReference<>();
    private final AtomicReference<ByteBuffer> claimed = new AtomicReference<>();
    private final AtomicReference<Outlet> outlet = new AtomicReference<>();
    private RunningChain running;

    @BeforeEach
    void keepWhatACallbackGets() {
        running = Chain.named("c")
                .then("s1", () -> (in, out) -> {
                    message.set(in);
                    payload.set(in.payload());
                    key.set(in.key());
                    outlet.set(out);
                    Claim claim = out.claim(8);
                    claimed.set(claim.payload());
                    claim.putLong(0, in.getLong(0)).commit(8);
                })
                .build()
                .on(new HostileTransport())
                .with(loops)
                .start();
        MessageFields fields = new MessageFields().key(ByteBuffer.wrap(new byte[] {1, 2}));
        running.inlet().send(longs(7), fields);
        loops.turn();
        assertThat(message.get()).isNotNull();
    }

    @AfterEach
    void close() {
        loops.close();
    }

    @Test
    void handledMessageThrowsWhereverItIsRead() {
        READS.forEach(
                (name, read) -> assertThatThrownBy(() -> read.apply(message.get()), name)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage(
                                "this message of topic c-0 was used after its callback had returned; copy what is needed later"));
        assertThatThrownBy(() -> message.get().getBytes(0, new byte[8], 0, 8))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> message.get().getBytes(0, ByteBuffer.allocate(8), 0, 8))
                .isInstanceOf(IllegalStateException.class);
        assertThat(message.get()).hasToString("no message of topic c-0");
    }

    @Test
    void handledMessageIsNotForwarded() {
        running.inlet().send(longs(8), new MessageFields());
        Message kept = message.get();
        assertThatThrownBy(() -> outlet.get().forward(kept)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void viewsOfAHandledMessageAreEmpty() {
        assertThat(payload.get().remaining()).isZero();
        assertThat(key.get().remaining()).isZero();
        assertThatThrownBy(() -> payload.get().getLong(0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void viewOfACommittedClaimIsEmpty() {
        assertThatThrownBy(() -> claimed.get().putLong(0, 9)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    private static ByteBuffer longs(long value) {
        return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value);
    }
}
