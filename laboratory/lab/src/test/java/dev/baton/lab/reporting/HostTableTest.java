package dev.baton.lab.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FixedResults;
import dev.baton.lab.results.RemoteProcess;
import dev.baton.operations.terminal.Paint;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostTableTest {
    @Test
    void oneMessageThatWaitedIsInTheSingular() {
        assertThat(remark(1, 1))
                .isEqualTo("h1:80: opened its transport again once; 1 message waited for it at its last answer");
    }

    @Test
    void severalAreInThePlural() {
        assertThat(remark(2, 1_200))
                .isEqualTo(
                        "h1:80: opened its transport again 2 times; 1,200 messages waited for it at its last answer");
    }

    private static String remark(long restarts, long backlog) {
        RemoteProcess process = new RemoteProcess(
                "h1:80", "h", "17", 2, List.of("s1"), 1, 0.2, 0.3, 0.0, 100, null, restarts, backlog, List.of());
        return HostTable.lines(
                        List.of(FixedResults.passed("kafka", 1_000).with(List.of(process))), new Paint(false), 200)
                .stream()
                .filter(line -> line.startsWith("h1:80:"))
                .findFirst()
                .orElseThrow();
    }
}
