package dev.baton.lab.study.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.launch.BrokerSource;
import dev.baton.lab.launch.Workspace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, of which the test asks too much. */
@Timeout(300)
class ChaosRunTest {
    private static final BrokerSource NO_BROKER = (directory, count) -> {
        throw new AssertionError("Chronicle needs no broker");
    };
    private static final ChaosListener NOBODY = new ChaosListener() {
        @Override
        public void began(ChaosPlan plan) {}

        @Override
        public void injected(SetUp setUp, FaultOutcome outcome) {}

        @Override
        public void audited(SetUp setUp, Account account) {}

        @Override
        public void said(SetUp setUp, String process, String line) {}
    };

    @TempDir
    private Path temporary;

    @Test
    void aChainOutOfWhichNothingComesAtItsBeginningHasFailed() {
        RunOutcome run = run(Duration.ZERO, Duration.ofHours(1));
        assertThat(run.findings())
                .containsExactly("no message came out of the chain within 0 s of its begin; nothing was injected");
        assertThat(run.faults()).isEmpty();
    }

    @Test
    void aRunWhoseTimeIsUpBeforeTheFirstFaultIsInconclusive() {
        RunOutcome run = run(ChaosPlan.RECOVERY_LIMIT, Duration.ofMillis(1));
        assertThat(run.findings()).isEmpty();
        assertThat(run.isConclusive()).isFalse();
    }

    private RunOutcome run(Duration mostRecovery, Duration mostDuration) {
        ChaosPlan plan = new ChaosPlan(
                SetUp.CHRONICLE,
                2,
                1_000,
                4,
                List.of(FaultKind.KILL_SERVICE),
                FaultSchedule.Times.QUICK,
                1,
                mostDuration,
                mostRecovery);
        try (Workspace workspace = Workspace.in(temporary, "chaos", false)) {
            return new ChaosRun(plan, workspace, NO_BROKER, () -> false, NOBODY).run();
        }
    }
}
