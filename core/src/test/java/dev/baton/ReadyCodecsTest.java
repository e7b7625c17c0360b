package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadyCodecsTest {
    private static final ValueCodec<String> STRINGS = ValueCodec.strings(3);
    private static final ValueCodec<Long> LONGS = ValueCodec.longs(4);

    private final Loops loops = Loops.manual();
    private final List<Object> received = new ArrayList<>();
    private RunningChain running;

    @BeforeEach
    void start() {
        HostileTransport transport = new HostileTransport();
        transport.room = 64;
        running = Chain.named("c")
                .then("s", () -> (in, out) -> out.forward(in))
                .build()
                .on(transport)
                .with(loops)
                .onFailure(failure -> received.add(failure.getCause()))
                .onOutput(in -> received.add(
                        in.type() == LONGS.type()
                                ? LONGS.checkedDecoder().decode(in)
                                : STRINGS.checkedDecoder().decode(in)))
                .start();
    }

    @AfterEach
    void close() {
        running.close();
        loops.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "order", "\u00e9", "\u20ac", "\uD83D\uDE00 in the middle", "\uFFFD", "\u0000"})
    void stringsReturnUnchangedInTheirExactLength(String text) {
        running.inlet().send(text, STRINGS);
        turn();
        assertThat(received).containsExactly(text);
        assertThat(STRINGS.maxLength(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE})
    void numbersReturnUnchanged(long number) {
        running.inlet().send(number, LONGS);
        turn();
        assertThat(received).containsExactly(number);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\uD83D", "\uDE00", "a\uDE00\uD83D"})
    void unpairedSurrogateIsRefused(String text) {
        assertThatThrownBy(() -> running.inlet().send(text, STRINGS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unpaired surrogate at index " + (text.length() == 1 ? 0 : 1));
    }

    @Test
    void payloadThatIsNotUtf8IsRefused() {
        running.inlet().send(ByteBuffer.wrap(new byte[] {'a', (byte) 0xC3}), new MessageFields().type(3));
        turn();
        assertThat(received)
                .singleElement()
                .isInstanceOf(IllegalArgumentException.class)
                .asString()
                .contains("is not UTF-8");
    }

    @Test
    void shortNumberIsRefused() {
        running.inlet().send(ByteBuffer.allocate(7), new MessageFields().type(4));
        turn();
        assertThat(received).singleElement().isInstanceOf(IndexOutOfBoundsException.class);
    }

    private void turn() {
        for (int i = 0; i < 8; i++) {
            loops.turn();
        }
    }
}
