package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Inlet.Batch;
import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The trace context of a message: carried by its frame alone, and passed on where the deployment says so. */
class TraceContextTest {
    private static final ValueCodec<String> TEXT = ValueCodec.strings(0);

    private final HostileTransport transport = new HostileTransport();
    private final Loops loops = Loops.manual();
    private final List<String> received = new ArrayList<>();
    private RunningChain running;

    @AfterEach
    void close() {
        running.close();
        loops.close();
        assertThat(transport.openConnections).isZero();
    }

    private static ByteBuffer context(int fill) {
        byte[] bytes = new byte[26];
        Arrays.fill(bytes, (byte) fill);
        return ByteBuffer.wrap(bytes);
    }

    private Deployment deployment(Service service) {
        return Chain.named("c")
                .then("s", () -> service)
                .build()
                .on(transport)
                .with(loops)
                .traceContext(true)
                .onOutput(in -> received.add(TEXT.decode(in) + ":" + shown(in)));
    }

    private static String shown(Message in) {
        ByteBuffer trace = in.trace();
        if (trace == null) {
            return "none";
        }
        byte[] bytes = new byte[trace.remaining()];
        trace.get(bytes);
        return HexFormat.of().formatHex(bytes, 0, 2) + "(" + bytes.length + ")";
    }

    private void start(Service service) {
        running = deployment(service).start();
    }

    @Test
    void servicePassesContextOfItsInputOn() {
        start((in, out) -> out.forward(in));
        running.inlet().send("a", TEXT, new MessageFields().trace(context(1)));
        running.inlet().send("b", TEXT);
        running.inlet()
                .send(
                        "c",
                        TEXT,
                        new MessageFields().key(ByteBuffer.wrap(new byte[5])).trace(context(2)));
        loops.turn();

        assertThat(received).containsExactly("a:0101(26)", "b:none", "c:0202(26)");
        List<Frame> frames = transport.frames("c-1");
        assertThat(frames.get(1).flags()).as("of a message without one").isZero();
        assertThat(frames.get(0).length()).isEqualTo(1 + 32);
    }

    @Test
    void serviceMaySendAnotherContextThanItsInputs() {
        start((in, out) -> out.claim(
                        1, new MessageFields().key(ByteBuffer.wrap(new byte[3])).trace(context(9)))
                .putByte(0, (byte) 'x')
                .commit(1));
        running.inlet().send("a", TEXT, new MessageFields().trace(context(1)));
        running.inlet().send("b", TEXT);
        loops.turn();

        assertThat(received).containsExactly("x:0909(26)", "x:0909(26)");
    }

    @Test
    void disabledTraceContextIsNotForwarded() {
        running = deployment((in, out) -> {
                    assertThat(shown(in)).isEqualTo("0101(26)");
                    out.forward(in);
                })
                .traceContext(false)
                .start();
        running.inlet().send("a", TEXT, new MessageFields().trace(context(1)));
        loops.turn();

        assertThat(received).containsExactly("a:none");
    }

    @Test
    void whatATickSendsHasNoContext() {
        start(new TickingService() {
            private boolean isDue;

            @Override
            public void onMessage(Message in, Outlet out) {
                isDue = true;
            }

            @Override
            public int onTick(Outlet out) {
                if (!isDue) {
                    return 0;
                }
                isDue = false;
                out.claim(1).putByte(0, (byte) 't').commit(1);
                return 1;
            }
        });
        running.inlet().send("a", TEXT, new MessageFields().trace(context(1)));
        loops.turn();
        loops.turn();

        assertThat(received).containsExactly("t:none");
    }

    @Test
    void tickMaySendContextThatItsServiceKept() {
        start(new TickingService() {
            private ByteBuffer kept;

            @Override
            public void onMessage(Message in, Outlet out) {
                kept = ByteBuffer.allocate(in.trace().remaining())
                        .put(in.trace())
                        .flip();
            }

            @Override
            public int onTick(Outlet out) {
                if (kept == null) {
                    return 0;
                }
                out.claim(1, new MessageFields().trace(kept))
                        .putByte(0, (byte) 't')
                        .commit(1);
                kept = null;
                return 1;
            }
        });
        running.inlet().send("a", TEXT, new MessageFields().trace(context(1)));
        loops.turn();
        loops.turn();

        assertThat(received).containsExactly("t:0101(26)");
    }

    @Test
    void mergeForwardsTheContextIfItsDeploymentAllows() {
        start((in, out) -> out.forward(in, in.key()));
        running.inlet()
                .send(
                        "a",
                        TEXT,
                        new MessageFields().key(ByteBuffer.wrap(new byte[5])).trace(context(1)));
        running.inlet().send("b", TEXT);
        loops.turn();

        assertThat(merged("with", true)).containsExactly(true, false, true, false);
        assertThat(merged("without", false)).containsExactly(false, false, false, false);
    }

    /** Which frames of a merge of both topics have a context. */
    private List<Boolean> merged(String name, boolean isPassedOn) {
        try (RunningChain merging = Merge.named(name)
                .from("c-0")
                .from("c-1")
                .build()
                .on(transport)
                .with(loops)
                .checksums(true)
                .traceContext(isPassedOn)
                .start()) {
            loops.turn();
            loops.turn();
            assertThat(merging.failure()).isEmpty();
        }
        return transport.frames(name + "-merged").stream()
                .map(frame -> frame.field(Extension.TRACE) != Extension.NONE)
                .toList();
    }

    @Test
    void contextCombinesWithChecksumsWallClockAndKeys() {
        running = deployment((in, out) -> out.forward(in, in.key()))
                .checksums(true)
                .wallClock(true)
                .start();
        running.inlet()
                .send(
                        "abc",
                        TEXT,
                        new MessageFields().key(ByteBuffer.wrap(new byte[3])).trace(context(7)));
        running.inlet().send("d", TEXT);
        loops.turn();

        assertThat(received).containsExactly("abc:0707(26)", "d:none");
    }

    @Test
    void aSharedInletCarriesItToo() {
        start((in, out) -> out.forward(in));
        SharedInlet shared = running.sharedInlet(4);
        shared.offer("a", TEXT, new MessageFields().trace(context(3)));
        shared.offerStored(
                "b", TEXT, new MessageFields().key(ByteBuffer.wrap(new byte[2])).trace(context(4)));
        loops.turn();
        loops.turn();

        assertThat(received).containsExactly("a:0303(26)", "b:0404(26)");
    }

    @Test
    void aBatchCarriesItToo() {
        start((in, out) -> out.forward(in));
        try (Batch batch = running.inlet().batch()) {
            batch.send("a", TEXT, new MessageFields().trace(context(5)));
            batch.tryClaim(1, new MessageFields().originNanos(1).trace(context(6)))
                    .putByte(0, (byte) 'b')
                    .commit(1);
        }
        loops.turn();

        assertThat(received).containsExactly("a:0505(26)", "b:0606(26)");
    }

    @Test
    void aContextOfAnotherLengthIsRefused() {
        start((in, out) -> out.forward(in));

        assertThatThrownBy(() -> running.inlet().send("a", TEXT, new MessageFields().trace(ByteBuffer.allocate(25))))
                .hasMessage("a trace context of 25 bytes; it has 26");
    }

    @Test
    void theLongestPayloadLeavesRoomForTheContext() {
        byte[] longest = new byte[transport.maxPayload - 32];
        start((in, out) -> out.claim(in.length(), new MessageFields().trace(context(8)))
                .putPayload(in)
                .commit(in.length()));
        running.inlet()
                .tryClaim(longest.length, new MessageFields().originNanos(1).trace(context(1)))
                .putBytes(0, longest, 0, longest.length)
                .commit(longest.length);
        loops.turn();

        assertThat(received.get(0)).endsWith(":0808(26)");
    }
}
