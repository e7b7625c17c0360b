package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.run.Loops;
import dev.baton.spi.Frame;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The key of a message: given on demand, carried by its frame alone, and never in the way of the payload. */
class KeyTest {
    private static final ByteBuffer KEY = ByteBuffer.wrap("xxaccount-17".getBytes(StandardCharsets.UTF_8), 2, 10);

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

    @Test
    void aFrameWithoutAKeyHasNoExtensionAndOneWithAKeyIsAsMuchLonger() {
        start((in, out) -> out.forward(in));
        running.inlet().send(new byte[8]);
        Claim claim = running.inlet().tryClaim(8, 1, KEY);
        assertThat(claim.maxLength()).isEqualTo(8);
        claim.commit(8);
        List<Frame> frames = transport.frames("c-0");
        assertThat(frames.get(0).flags()).isZero();
        assertThat(frames.get(0).length()).isEqualTo(8);
        assertThat(frames.get(1).length()).isEqualTo(8 + 16);
        assertThat(KEY.position()).isEqualTo(2);
    }

    @Test
    void aServicePassesTheKeyOnWhenItSaysSo() {
        start((in, out) -> {
            if (in.length() == 1) {
                out.forward(in);
            } else {
                out.forward(in, in.key());
            }
        });
        running.inlet().tryClaim(1, 1, KEY).commit(1);
        running.inlet().tryClaim(2, 1, KEY).commit(2);
        running.inlet().tryClaim(2, 1, null).commit(2);
        loops.turn();
        assertThat(received).containsExactly("1:null", "2:account-17", "2:null");
    }

    @Test
    void aCallbackThatReturnsWithAnOpenKeyedClaimFails() {
        start((in, out) -> out.claim(1, KEY));
        running.inlet().send(new byte[1]);
        loops.turn();
        assertThat(running.failure().orElseThrow()).hasMessageContaining("open claim");
    }

    @Test
    void aKeyedClaimIsCommittedWithinItsPayloadOrAborted() {
        start((in, out) -> {});
        Inlet inlet = running.inlet();
        Claim claim = inlet.tryClaim(4, 1, KEY);
        assertThatThrownBy(() -> claim.commit(5)).hasMessage("commit of 5 bytes; 0 to the claimed 4 are allowed");
        assertThatThrownBy(() -> claim.putByte(4, (byte) 1)).isInstanceOf(IndexOutOfBoundsException.class);
        claim.abort();
        assertThatThrownBy(() -> claim.commit(4)).hasMessageContaining("committed or aborted");
        assertThatThrownBy(() -> inlet.tryClaim(-8, 1, KEY)).hasMessage("claim of -8 bytes; 0 or more is allowed");
        assertThat(inlet.sequence()).isZero();
    }

    @Test
    void aKeyedClaimMayBeRefusedAsAnyOther() {
        start((in, out) -> {});
        transport.refusesEveryOtherClaim = true;
        assertThat(running.inlet().tryClaim(1, 1, KEY)).isNull();
        running.inlet().tryClaim(1, 1, KEY).commit(1);
        assertThat(transport.frames("c-0")).hasSize(1);
    }

    private void start(Service service) {
        running = Chain.named("c")
                .then("s1", () -> service)
                .build()
                .on(transport)
                .with(loops)
                .onFailure(cause -> {})
                .onOutput(in -> received.add(
                        in.length() + ":" + (in.key() == null ? null : StandardCharsets.UTF_8.decode(in.key()))))
                .start();
    }
}
