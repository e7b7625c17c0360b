package dev.baton.lab.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.measuring.EvenSchedule;
import dev.baton.measuring.PayloadPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HandOverTest {
    private static final Pause YIELD = new Pause(Pause.Kind.YIELD, 0);

    private final HandOverLibrary.HandOver handOver = new HandOverLibrary.HandOver();
    private final List<Long> arrived = new CopyOnWriteArrayList<>();
    private volatile PayloadPattern.Origin payload;
    private final HandOverLibrary.HandOverExit exit = new HandOverLibrary.HandOverExit(
            handOver,
            () -> new EvenSchedule(1_000, 10),
            (originNanos, tag, hops, length, nothing) -> {
                arrived.add(originNanos);
                payload = nothing;
            },
            YIELD);

    @Test
    void messageIsTakenOnceWithDueTime() {
        assertThat(exit.turn()).isFalse();
        assertThat(handOver.trySend(0, 1_000, 7)).isTrue();
        assertThat(exit.turn()).isTrue();
        assertThat(exit.turn()).isFalse();
        assertThat(arrived).containsExactly(1_000L);
    }

    @Test
    void delayedReceiverFindsAllMessages() {
        for (int number = 0; number < 4; number++) {
            handOver.trySend(number, 1_000 + 10 * number, 0);
        }
        assertThat(exit.turn()).isTrue();
        assertThat(arrived).containsExactly(1_000L, 1_010L, 1_020L, 1_030L);
    }

    @Test
    void thereIsNoPayloadToRead() {
        handOver.trySend(0, 1_000, 7);
        exit.turn();
        assertThatThrownBy(() -> payload.copyTo(new byte[1], 1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    @Timeout(30)
    void everyMessageCrossesBetweenTwoThreadsInOrder() throws InterruptedException {
        int count = 5_000;
        ReferenceStage.StopSignal stop = new ReferenceStage.StopSignal();
        Thread receiver = new Thread(() -> exit.run(stop), "hand-over-test");
        receiver.start();
        for (int number = 0; number < count; number++) {
            handOver.trySend(number, 1_000 + 10 * number, 0);
        }
        while (arrived.size() < count) {
            Thread.yield();
        }
        stop.set();
        receiver.join();
        assertThat(new ArrayList<>(arrived))
                .isEqualTo(LongStream.range(0, count)
                        .mapToObj(number -> 1_000 + 10 * number)
                        .toList());
    }
}
