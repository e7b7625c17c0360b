package dev.baton.jmh.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that the programs measure what they describe; the figures need an idle machine. */
class FiguresTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

    /** The words of the last line. */
    private List<String> figures() {
        List<String> lines = printed.toString(StandardCharsets.UTF_8).lines().toList();
        return Stream.of(lines.get(lines.size() - 1).trim().split("\\s+")).toList();
    }

    @Test
    void aReplayComparesAllThatWasRecorded() throws Exception {
        ReplaySpeed.measure(out, "5000", "8", "1", "-1");

        assertThat(figures()).hasSize(7).startsWith("5,000");
    }

    @Test
    void aSnapshotStoresAtLeastItsState() throws Exception {
        SnapshotCost.measure(out, "chronicle", "1", "3");

        assertThat(figures()).hasSize(11).startsWith("chronicle", "1");
        assertThat(Double.parseDouble(figures().get(10))).isBetween(1.0, 3.0);
    }
}
