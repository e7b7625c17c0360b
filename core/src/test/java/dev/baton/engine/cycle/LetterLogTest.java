package dev.baton.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.RunningChain;
import dev.baton.fixtures.HostileTransport;
import dev.baton.fixtures.LogRecorder;
import dev.baton.fixtures.ShiftedClock;
import dev.baton.run.Loops;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Dead letters in the log: the first one at once, later ones by their number. */
class LetterLogTest {
    private static final String FIRST =
            "chain c: service s1 gave up on message 1 of topic c-0, which is a dead letter in topic"
                    + " c-0.dead-letters: java.lang.IllegalStateException: no 1. Later ones are counted here, at most once a minute";

    private final HostileTransport transport = new HostileTransport();
    private final ShiftedClock clock = new ShiftedClock();
    private final Loops loops = Loops.manual().in(clock);
    private final Logger logger = Logger.getLogger("dev.baton");
    private final LogRecorder log = new LogRecorder();
    private final List<LogRecord> records = log.records;
    private RunningChain running;
    private long sent;

    @BeforeEach
    void listen() {
        transport.room = 1_000;
        logger.setUseParentHandlers(false);
        start();
    }

    @AfterEach
    void close() {
        running.close();
        loops.close();
        log.close();
        logger.setUseParentHandlers(true);
    }

    @Test
    void firstLetterIsLoggedWithItsCause() {
        fail(1);
        assertThat(records).singleElement().satisfies(record -> {
            assertThat(record.getLevel()).isEqualTo(Level.WARNING);
            assertThat(record.getMessage()).isEqualTo(FIRST);
            assertThat(record.getThrown()).hasMessage("no 1");
        });
    }

    @Test
    void laterLettersAreCountedOnceAMinute() {
        fail(100);
        assertThat(lines()).containsExactly(FIRST);
        clock.pass(Duration.ofMinutes(1));
        fail(2);
        assertThat(lines())
                .containsExactly(
                        FIRST,
                        "chain c: service s1 has 100 more dead letters in topic c-0.dead-letters, 101 since the start; the"
                                + " newest is message 101 of topic c-0: java.lang.IllegalStateException: no 101");
    }

    @Test
    void uncountedLettersAreCountedAtTheClose() {
        fail(3);
        running.close();
        assertThat(lines())
                .hasSize(2)
                .last()
                .asString()
                .contains("has 2 more dead letters")
                .contains("3 since the start");
    }

    @Test
    void eachStartLogsItsFirstLetter() {
        fail(1);
        running.close();
        start();
        fail(1);
        assertThat(lines()).hasSize(2).last().asString().contains("gave up on message 2");
    }

    private List<String> lines() {
        return records.stream().map(LogRecord::getMessage).toList();
    }

    private void start() {
        running = Chain.named("c")
                .then("s1", () -> (in, out) -> {
                    throw new IllegalStateException("no " + in.sequence());
                })
                .build()
                .on(transport)
                .with(loops)
                .onError(ErrorPolicy.deadLetter())
                .start();
    }

    private void fail(int messages) {
        for (int i = 0; i < messages; i++) {
            running.inlet().tryClaim(8).putLong(0, ++sent).commit(8);
        }
        for (int i = 0; i < 3 * messages + 3; i++) {
            loops.turn();
        }
        assertThat(running.failure()).isEmpty();
    }
}
