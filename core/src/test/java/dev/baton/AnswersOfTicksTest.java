package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Cause;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a tick's output says that it answers while inputs of an earlier run are passed over. */
class AnswersOfTicksTest {
    private static final String INPUT = "in";

    private final HostileTransport transport = new HostileTransport();
    private boolean isTickDue;

    private final class Ticking implements TickingService {
        @Override
        public void onMessage(Message in, Outlet out) {
            out.forward(in);
        }

        @Override
        public int onTick(Outlet out) {
            if (!isTickDue) {
                return 0;
            }
            isTickDue = false;
            out.claim(8).putLong(0, -1).commit(8);
            return 1;
        }
    }

    @Test
    void lastPassedInputIsNamedWithItsWriter() {
        transport.createTopics(List.of(INPUT));
        transport.write(INPUT, 1, 2);
        transport.write(INPUT, 3, 4); // by another writer
        run(4);
        forgetPositions();

        transport.cutsPollsToOne = true;
        isTickDue = true;
        run(1);
        assertThat(newestOutputCause()).isEqualTo(Cause.ofTick(4));
        forgetPositions();

        run(8); // nothing is refused as an input that was cut off and written further
        assertThat(newestOutputCause()).isEqualTo(Cause.ofTick(4));
    }

    private long newestOutputCause() {
        return transport.frames("c-1").get(transport.frames("c-1").size() - 1).cause();
    }

    private void forgetPositions() {
        transport.topic(INPUT).acknowledged.put("c--s", 0L);
    }

    private RunningChain start(Loops loops) {
        return Chain.named("c")
                .from(INPUT)
                .then("s", Ticking::new)
                .build()
                .on(transport)
                .with(loops)
                .onFailure(failure -> {})
                .start();
    }

    private void run(int turns) {
        transport.room = 100;
        try (Loops loops = Loops.manual()) {
            RunningChain running = start(loops);
            for (int i = 0; i < turns; i++) {
                loops.turn();
            }
            assertThat(running.failure()).isEmpty();
            running.close(Duration.ZERO);
        }
    }
}
