package dev.baton.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.Chain;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.StatefulService;
import dev.baton.chronicle.ChronicleProvider;
import dev.baton.operations.terminal.Terminal;
import dev.baton.spi.Transport;
import dev.baton.state.SnapshotInput;
import dev.baton.state.SnapshotOutput;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a replay tells of a service's state before the input at which it differs. */
class StateBeforeTest {
    private static final int INPUTS = 250; // of 100 ms: a snapshot after every 100
    private static final int CHANGED = 230;

    @TempDir
    private Path directory;

    private Transport transport;

    /** Adds its inputs up, which are 1, 2, 3 and so on. */
    private static class Sums implements StatefulService {
        private long sum;

        @Override
        public void onMessage(Message in, Outlet out) {
            sum += in.getLong(0);
            out.claim(Long.BYTES).putLong(0, sum).commit(Long.BYTES);
        }

        @Override
        public int snapshotVersion() {
            return 3;
        }

        @Override
        public boolean saveState(SnapshotOutput out) {
            out.putLong(sum);
            return true;
        }

        @Override
        public void restoreState(SnapshotInput in, int version) {
            sum = in.getLong();
        }

        @Override
        public String stateText() {
            return "sum " + sum + "\nof all inputs";
        }
    }

    @BeforeEach
    void record() {
        transport = new ChronicleProvider().open(Map.of("dir", directory.toString()));
        new Recording(transport, Duration.ofMillis(100))
                .of(
                        chain(),
                        (number, claim) -> {
                            claim.putLong(0, number + 1);
                            return Long.BYTES;
                        },
                        Long.BYTES,
                        INPUTS);
    }

    @AfterEach
    void close() {
        transport.close();
    }

    private static Chain chain() {
        return Chain.named("sums").then("sum", Sums::new).build();
    }

    private ReplayComparison replay(Chain chain) {
        return Replay.of(chain).firstOnly().compareWith(transport);
    }

    @Test
    void newestSnapshotBeforeDifferenceIsShown() throws Exception {
        assertThat(replay(chain()).isSame()).isTrue();
        Chain changed = Chain.named("sums")
                .then("sum", () -> new Sums() {
                    @Override
                    public void onMessage(Message in, Outlet out) {
                        if (in.sequence() == CHANGED) {
                            out.claim(Long.BYTES).putLong(0, -1).commit(Long.BYTES);
                        } else {
                            super.onMessage(in, out);
                        }
                    }
                })
                .build();

        ReplayComparison result = replay(changed);
        assertThat(result.of("sum").difference().cause()).isEqualTo(CHANGED);
        ReplayReport report = new ReplayReport(
                changed, result, transport, new Terminal(false, false, 80, false), ReplayReport.RECORDED, false);

        JsonNode state = stateBefore(report);
        long input = state.path("input").asLong();
        assertThat(input).isBetween(100L, CHANGED - 1L);
        assertThat(state.path("version").asInt()).isEqualTo(3);
        assertThat(state.path("bytes").asLong()).isEqualTo(Long.BYTES);
        assertThat(state.path("text").asText()).isEqualTo("sum " + input * (input + 1) / 2 + "\nof all inputs");
        assertThat(String.join(" ", report.lines()))
                .contains(
                        "state before: the snapshot after input " + input + ", " + (CHANGED - input)
                                + " inputs earlier (8 B, version 3)",
                        "  sum ",
                        "of all inputs");
    }

    private static JsonNode stateBefore(ReplayReport report) throws JsonProcessingException {
        return new ObjectMapper()
                .readTree(report.json().get(0))
                .path("services")
                .get(0)
                .path("difference")
                .path("stateBefore");
    }

    @Test
    void noEarlierSnapshotShowsNoState() throws Exception {
        Chain changed = Chain.named("sums")
                .then(
                        "sum",
                        () -> (in, out) -> out.claim(Long.BYTES).putLong(0, -1).commit(Long.BYTES))
                .build();

        ReplayComparison result = replay(changed);
        assertThat(result.of("sum").difference().cause()).isEqualTo(1);
        ReplayReport report = new ReplayReport(
                changed, result, transport, new Terminal(false, false, 80, false), ReplayReport.RECORDED, false);
        assertThat(stateBefore(report).isNull()).isTrue();
        assertThat(report.lines()).noneMatch(line -> line.contains("state before"));
    }
}
