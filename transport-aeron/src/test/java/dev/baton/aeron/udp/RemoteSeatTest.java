package dev.baton.aeron.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Incarnation;
import dev.baton.spi.StartPosition;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.SequenceRanges;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
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

    /** The thread of the link receives answers, too. */
    @Test
    void admissionDuringTheWaitIsNoRefusal() throws Exception {
        AtomicReference<RemoteSeat> waiting = new AtomicReference<>(seat);
        CompletableFuture<Void> joining = CompletableFuture.runAsync(() -> joinEach(waiting)); // with a short stack
        ControlMessage admission = joined(7, 10, 1);
        RemoteSeat last = seat;
        for (int round = 0; round < 1_000 && !joining.isDone(); round++) {
            RemoteSeat next;
            while ((next = waiting.get()) == last && !joining.isDone()) {
                Thread.onSpinWait();
            }
            for (int i = 0; i < round % 100; i++) {
                Thread.onSpinWait();
            }
            next.answered(admission);
            last = next;
        }
        waiting.set(null);
        joining.get(10, TimeUnit.SECONDS);
    }

    /** Tries again to join a seat until it is admitted, and continues with another one. */
    private static void joinEach(AtomicReference<RemoteSeat> waiting) {
        for (RemoteSeat before = waiting.get(), next; ; before = next) {
            next = new RemoteSeat(null, "orders", "c", Duration.ofNanos(-1)); // takes one look
            next.answered(ControlMessage.refusal(READER, ControlMessage.Refusal.ABSENT, "no topic"));
            if (!waiting.compareAndSet(before, next)) {
                return;
            }
            while (waiting.get() == next && !isAdmitted(next)) {
                Thread.onSpinWait();
            }
        }
    }

    private static boolean isAdmitted(RemoteSeat seat) {
        try {
            seat.join(StartPosition.stored());
            return true;
        } catch (TransportException tooEarly) {
            return false;
        }
    }
}
