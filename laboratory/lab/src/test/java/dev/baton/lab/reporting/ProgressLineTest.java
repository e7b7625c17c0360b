package dev.baton.lab.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FixedResults;
import dev.baton.lab.protocol.Event.Phase;
import dev.baton.lab.protocol.Event.Progress;
import dev.baton.lab.request.TrialPlan;
import dev.baton.operations.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
    private static final TrialPlan PLAN = FixedResults.plan("kafka", "cooperative:1", "default");
    private static final long SECOND = 1_000_000_000L;

    private final StringWriter err = new StringWriter();

    @Test
    void terminalShowsOneTemporaryLine() {
        run(new Terminal(true, true, 60, true));
        assertThat(err.toString().split("\r\u001b\\[K", -1))
                .containsExactly(
                        "",
                        "[2/3] kafka  starting a JVM",
                        "[2/3] kafka  starting a broker",
                        "[2/3] kafka  opening",
                        "[2/3] kafka  measuring  0:12, 0:18 left  p50 143 us  p99 1.",
                        "[2/3] kafka  measuring  0:13",
                        "");
    }

    @Test
    void elsewhereThereIsALinePerPhase() {
        run(new Terminal(false, false, 100, false));
        assertThat(err.toString().lines())
                .containsExactly(
                        "[2/3] kafka: starting a broker", "[2/3] kafka: opening", "[2/3] kafka: measuring for 30s");
    }

    private void run(Terminal terminal) {
        try (ProgressLine line = new ProgressLine(new PrintWriter(err), terminal)) {
            line.onStart(PLAN, 2, 3);
            line.onBroker(PLAN);
            line.onProgress(PLAN, new Progress(Phase.OPENING, 0, null, 0, null, null));
            line.onProgress(PLAN, new Progress(Phase.MEASURING, 12 * SECOND, 18 * SECOND, 1, 143_000L, 1_200_000L));
            line.onProgress(PLAN, new Progress(Phase.MEASURING, 13 * SECOND, null, 1, null, null));
        }
    }
}
