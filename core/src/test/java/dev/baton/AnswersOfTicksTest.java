package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Cause;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a tick's output says that it answers while inputs of an earlier run are passed over. */
class AnswersOfTicksTest {
    private static final String INPUT = "in";

    private final HostileTransport transport = new HostileTransport();
    private boolean isTickDue;
    private boolean isFiltering; // inputs of the second writer
    private boolean sendsAtEnd;

    private final class Ticking implements TickingService {
        @Override
        public void onMessage(Message in, Outlet out) {
            if (!isFiltering || in.getLong(0) <= 2) {
                out.forward(in);
            }
        }

        @Override
        public void onClosing(Outlet out) {
            if (sendsAtEnd) {
                out.claim(8).putLong(0, -2).commit(8);
            }
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

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void outputBeforeFirstInputNamesTheLastAnswered(boolean isTick) {
        isFiltering = true;
        transport.createTopics(List.of(INPUT));
        transport.write(INPUT, 1, 2);
        transport.write(INPUT, 3, 4); // by another writer
        run(4);
        isTickDue = isTick;
        sendsAtEnd = !isTick;
        run(2);
        sendsAtEnd = false;
        assertThat(transport.frames("c-1")).hasSize(3);
        transport.topic(INPUT).acknowledged.put("c--s", 2L); // the older copy of the position

        run(4); // nothing is refused as an input that was cut off and written further
        assertThat(transport.topic(INPUT).acknowledged.get("c--s")).isEqualTo(4);
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
            running.close(sendsAtEnd ? Duration.ofSeconds(10) : Duration.ZERO);
        }
    }
}
