package dev.baton.disruptor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Where a tap begins that is attached to a ring which has gone round. */
class TapOfARingTest {
    private static final int SLOTS = 64;
    private static final int SENT = 1_000;

    @Test
    void aTapBeginsAtTheOldestFrame() {
        Chain chain = Chain.named("orders").build();
        List<Long> received = new ArrayList<>();
        try (DisruptorTransport transport =
                        DisruptorTransport.create(DisruptorOptions.defaults().with(DisruptorOptions.SLOTS, SLOTS));
                Loops loops = Loops.manual();
                RunningChain running =
                        chain.on(transport).with(loops).onOutput(in -> {}).start()) {
            send(running, loops, SENT);
            try (RunningChain tap = Chain.tap("audit", chain.topic(0, 0))
                    .on(transport)
                    .with(loops)
                    .onOutput(in -> received.add(in.sequence()))
                    .start()) {
                long first = tap.firstSequence().orElseThrow();
                assertThat(first).isBetween((long) SENT - SLOTS + 1, SENT + 1L);
                send(running, loops, SENT);
                loops.turn();
                assertThat(tap.failure()).isEmpty();
                assertThat(received)
                        .containsExactlyElementsOf(
                                LongStream.rangeClosed(first, 2 * SENT).boxed().toList());
            }
        }
    }

    private static void send(RunningChain running, Loops loops, int count) {
        for (int i = 0; i < count; i++) {
            running.inlet().send(new byte[8]);
            loops.turn();
        }
    }
}
