package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pauses of a loop that reads a topic of another process. */
@Timeout(30)
class AwaitedInputTest {
    private static final long USUAL_NANOS = 1_000_000;
    private static final long REST_NANOS = 100_000_000;

    private final HostileTransport transport = new HostileTransport();

    @Test
    void loopRestsWhereAwaitEndsWithInput() {
        transport.awaitsNews = true;
        assertThat(awaitWhileIdle()).isEqualTo(REST_NANOS);
    }

    @Test
    void loopPollsWhereNothingEndsAwait() {
        assertThat(awaitWhileIdle()).isEqualTo(USUAL_NANOS);
    }

    /** Returns how long the loop waits when its part has had nothing to do for many turns. */
    private long awaitWhileIdle() {
        transport.createTopics(Set.of("c-1", "c-2"));
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = Chain.named("c")
                        .then("elsewhere", () -> (in, out) -> out.forward(in))
                        .then("here", () -> (in, out) -> out.forward(in))
                        .build()
                        .on(transport)
                        .only("here")
                        .with(loops)
                        .start()) {
            int turns = transport.turns;
            await().until(() -> transport.turns > turns + 200);
            assertThat(running.failure()).isEmpty();
            return transport.awaitNanos;
        }
    }
}
