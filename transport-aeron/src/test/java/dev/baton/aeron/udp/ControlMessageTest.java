package dev.baton.aeron.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Incarnation;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.support.SequenceRanges;
import java.nio.ByteOrder;
import java.util.Random;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.Test;

/** Requests and answers as datagrams have them. */
class ControlMessageTest {
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();

    private ControlMessage read(ControlMessage written) {
        return ControlMessage.read(buffer, 0, written.write(buffer));
    }

    @Test
    void answerKeepsItsFieldsAndWriters() {
        Incarnation writer = Incarnation.begin(7, "a > b");
        Seat.Joined joined = new Seat.Joined(11, 12, 13, 14, 15);
        ControlMessage answer = read(ControlMessage.answer(
                ControlMessage.Kind.JOINED,
                5,
                joined,
                "orders",
                new Seat.Writers(3, SequenceRanges.<Incarnation>none().with(1, writer))));
        assertThat(answer.reader()).isEqualTo(5);
        assertThat(answer.joined()).isEqualTo(joined);
        assertThat(answer.writers().count()).isEqualTo(3);
        assertThat(answer.writers().ranges().at(2)).isEqualTo(writer);
    }

    @Test
    void refusalKeepsItsReason() {
        ControlMessage refusal = read(ControlMessage.refusal(5, new ReplacedException("orders", "by another")));
        assertThat(refusal.failure("orders", "shop"))
                .isInstanceOf(ReplacedException.class)
                .hasMessage("by another");
    }

    @Test
    void foreignDatagramsAreNoMessages() {
        Random random = new Random(47);
        byte[] bytes = new byte[200];
        for (int i = 0; i < 10_000; i++) {
            random.nextBytes(bytes);
            buffer.putBytes(0, bytes);
            buffer.putInt(0, random.nextInt(9) - 1, ByteOrder.LITTLE_ENDIAN);
            int length = random.nextInt(bytes.length);
            ControlMessage message = ControlMessage.read(buffer, 0, length);
            assertThat(message == null || message.topic().length() <= length).isTrue();
        }
    }
}
