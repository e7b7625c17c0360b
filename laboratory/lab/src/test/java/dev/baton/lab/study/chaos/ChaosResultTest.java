package dev.baton.lab.study.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.results.Headline;
import dev.baton.lab.study.chaos.audit.Account;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChaosResultTest {
    private static final InjectedFault.Outcome SURVIVED = new InjectedFault.Outcome(
            new InjectedFault(1, InjectedFault.Kind.PAUSE, List.of("s1"), 100, 100, 0), 1, 1, 1, null);

    @Test
    void runWithoutInjectionIsInconclusive() {
        ChaosResult.Run run = outcome(List.of(), 100, List.of());
        assertThat(run.hasPassed()).isTrue();
        assertThat(run.isConclusive()).isFalse();
        assertThat(run.whyInconclusive()).containsExactly("no fault was injected");
    }

    @Test
    void runWithoutMessagesIsInconclusive() {
        ChaosResult.Run run = outcome(List.of(SURVIVED), 0, List.of());
        assertThat(run.isConclusive()).isFalse();
        assertThat(run.whyInconclusive()).containsExactly("no message was sent");
    }

    @Test
    void runWithFaultsIsConclusive() {
        ChaosResult.Run run = outcome(List.of(SURVIVED), 100, List.of());
        assertThat(run.isConclusive()).isTrue();
        assertThat(run.whyInconclusive()).isEmpty();
    }

    @Test
    void obstacleMakesRunInconclusive() {
        ChaosResult.Run run = outcome(List.of(), 0, List.of("no broker here"));
        assertThat(run.whyInconclusive()).containsExactly("no broker here");
    }

    @Test
    void namedFaultThatWasOmittedIsInconclusive() {
        ChaosResult.Run run =
                outcome(List.of(SURVIVED), 100, List.of()).inconclusiveFor(List.of("full-disk is omitted"));
        assertThat(run.hasPassed()).isTrue();
        assertThat(run.isConclusive()).isFalse();
        assertThat(run.whyInconclusive()).containsExactly("full-disk is omitted");
    }

    @Test
    void headlineHasVerdictAndFindings() {
        ChaosResult.Run run = outcome(List.of(SURVIVED), 100, List.of("no broker here"));
        ChaosResult result =
                new ChaosResult(ChaosResult.SCHEMA, List.of("chaos"), "", 3, 1_000, List.of(run), List.of());
        Headline headline = ChaosReport.headline(result);
        assertThat(headline.asked()).isEqualTo("Faults under load, chronicle at 1,000 msg/s; seed 3");
        assertThat(headline.answers())
                .containsExactly(
                        "INCONCLUSIVE: 1 fault, 0 lost, 0 duplicated, 0 reordered.", "chronicle: no broker here.");
    }

    private static ChaosResult.Run outcome(List<InjectedFault.Outcome> faults, long sent, List<String> inconclusive) {
        Account.Topic topic = new Account.Topic("a", sent, sent, 0, 0, 0, 0, 0, 0, null);
        Account account = new Account(List.of(topic), sent, 0, sent, 0, 0, 0, 0, true, 0, List.of());
        return new ChaosResult.Run(
                SetUp.CHRONICLE, faults, List.of(account), List.of(), false, inconclusive, List.of());
    }
}
