package dev.baton.aeron.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Incarnation;
import dev.baton.spi.support.SequenceRanges;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Answers to a reader that come late, or from an earlier life of the writer's process. */
class RemoteSeatTest {
    private static final long READER = 5;

    private final RemoteSeat seat = new RemoteSeat(null, "orders", "c", Duration.ofSeconds(1));

    private static ControlMessage joined(long identity, long newest, int writers) {
        Seat.Joined joined = new Seat.Joined(identity, 1, 2, 0, newest);
        SequenceRanges<Incarnation> ranges =
                SequenceRanges.<Incarnation>none().with(1, Incarnation.begin(identity, "a > b"));
        return ControlMessage.answer(
                ControlMessage.Kind.JOINED, READER, joined, "orders", new Seat.Writers(writers, ranges));
    }

    @Test
    void answersOfAnEarlierLifeChangeNothing() {
        seat.answered(joined(7, 10, 1));
        seat.answered(joined(6, 1_000, 3));
        assertThat(seat.joined().identity()).isEqualTo(7);
        assertThat(seat.newest()).isEqualTo(10);
        assertThat(seat.writers().ranges().at(1).id()).isEqualTo(7);
    }

    @Test
    void lateRefusalsOfTheOpenChangeNothing() {
        seat.answered(joined(7, 10, 1));
        seat.answered(ControlMessage.refusal(READER, ControlMessage.Refusal.ABSENT, "no topic"));
        seat.answered(ControlMessage.refusal(READER, ControlMessage.Refusal.OCCUPIED, "live reader"));
        assertThat(seat.failure()).isNull();
        seat.answered(ControlMessage.refusal(READER, ControlMessage.Refusal.REPLACED, "another reader"));
        assertThat(seat.failure()).hasMessage("another reader");
    }
}
