package dev.baton.lab.study.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.TestHosts;
import dev.baton.lab.launch.BrokerSource;
import dev.baton.lab.launch.Workspace;
import dev.baton.lab.study.chaos.ChaosPlan.StateKind;
import dev.baton.lab.study.chaos.audit.NumberedMessage;
import dev.baton.operations.chains.ChainOptions;
import dev.baton.operations.chains.NamedChain;
import dev.baton.operations.line.Console;
import dev.baton.operations.terminal.Terminal;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Real processes, of which the test asks too much. */
@Timeout(300)
@Tag("long")
class ChaosRunTest {
    private static final BrokerSource NO_BROKER = (directory, count, further) -> {
        throw new AssertionError("Chronicle needs no broker");
    };

    @TempDir
    private Path temporary;

    @Test
    void chainWithoutFirstOutputFails() {
        ChaosResult.Run run = run(Duration.ZERO, Duration.ofHours(1));
        assertThat(run.findings())
                .containsExactly(
                        "no message arrived at the end of the chain within 0 s of its begin; nothing was injected");
        assertThat(run.faults()).isEmpty();
    }

    @Test
    void timeoutBeforeFirstFaultIsInconclusive() {
        ChaosResult.Run run = run(ChaosPlan.RECOVERY_LIMIT, Duration.ofMillis(1));
        assertThat(run.findings()).isEmpty();
        assertThat(run.isConclusive()).isFalse();
    }

    @Test
    @Tag("slow")
    @ResourceLock(TestHosts.LOCK)
    void chainOverHostsSurvivesNetworkFaults() {
        TestHosts.require();
        List<InjectedFault.Kind> kinds = TestHosts.canLosePackets()
                ? List.of(InjectedFault.Kind.CUT_HOST, InjectedFault.Kind.LOSE_PACKETS)
                : List.of(InjectedFault.Kind.CUT_HOST);
        assertNothingIsLost(
                SetUp.KAFKA_HOSTS, kinds, new BrokerSource.KafkaBrokers(Map.of(), List.of("-XX:TieredStopAtLevel=1")));
    }

    @Test
    void chainOverArchiveSurvivesKillAndPacketLoss() {
        assertNothingIsLost(SetUp.AERON_ARCHIVE_UDP, List.of(InjectedFault.Kind.KILL_ARCHIVE), NO_BROKER);
    }

    /** Wrong replies and wrong balances are findings. */
    @Test
    void requestsToConcurrentAndKeyedServicesSurviveKills() {
        assertNothingIsLost(
                SetUp.CHRONICLE,
                List.of(
                        InjectedFault.Kind.KILL_SERVICE,
                        InjectedFault.Kind.KILL_PAIR,
                        InjectedFault.Kind.KILL_SENDER,
                        InjectedFault.Kind.KILL_RECEIVER),
                NO_BROKER,
                ChainOptions.choose("accounts", List.of()));
    }

    private void assertNothingIsLost(SetUp setUp, List<InjectedFault.Kind> kinds, BrokerSource brokers) {
        assertNothingIsLost(setUp, kinds, brokers, null);
    }

    private void assertNothingIsLost(
            SetUp setUp, List<InjectedFault.Kind> kinds, BrokerSource brokers, NamedChain chain) {
        ChaosResult.Run run = run(setUp, kinds, ChaosPlan.RECOVERY_LIMIT, Duration.ofHours(1), brokers, chain);
        assertThat(run.findings()).isEmpty();
        assertThat(run.inconclusive()).isEmpty();
        assertThat(run.faults())
                .allMatch(InjectedFault.Outcome::isSurvived)
                .extracting(outcome -> outcome.fault().kind())
                .containsExactlyInAnyOrderElementsOf(kinds);
        assertThat(run.accounts()).hasSize(1).allSatisfy(account -> {
            assertThat(account.sent()).isPositive();
            assertThat(account.lost() + account.duplicated() + account.reordered() + account.altered())
                    .isZero();
        });
    }

    private ChaosResult.Run run(Duration mostRecovery, Duration mostDuration) {
        return run(
                SetUp.CHRONICLE, List.of(InjectedFault.Kind.KILL_SERVICE), mostRecovery, mostDuration, NO_BROKER, null);
    }

    /** One fault of each kind. */
    private ChaosResult.Run run(
            SetUp setUp,
            List<InjectedFault.Kind> kinds,
            Duration mostRecovery,
            Duration mostDuration,
            BrokerSource brokers,
            NamedChain chain) {
        ChaosPlan plan = new ChaosPlan(
                setUp,
                Map.of(),
                chain == null ? 2 : chain.open().chain().services().size(),
                300,
                4,
                kinds,
                FaultSchedule.Times.QUICK,
                kinds.size(),
                mostDuration,
                mostRecovery,
                chain,
                chain == null ? NumberedMessage.BYTES : chain.open().maxPayload(),
                StateKind.NONE,
                false,
                chain != null);
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        Console console = new Console(nowhere, nowhere, new Terminal(false, false, 100, false));
        try (Workspace workspace = Workspace.in(temporary, "chaos", false);
                ChaosProgress progress = new ChaosProgress(console, temporary)) {
            return new ChaosRun(plan, workspace, brokers, () -> false, progress).run();
        }
    }
}
