package dev.baton.lab.study.chaos;

import static org.assertj.core.api.Assertions.assertThat;

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

    private static ChaosResult.Run outcome(List<InjectedFault.Outcome> faults, long sent, List<String> inconclusive) {
        Account.Topic topic = new Account.Topic("a", sent, sent, 0, 0, 0, 0, 0, 0, null);
        Account account = new Account(List.of(topic), sent, 0, sent, 0, 0, 0, 0, true, 0, List.of());
        return new ChaosResult.Run(
                SetUp.CHRONICLE, faults, List.of(account), List.of(), false, inconclusive, List.of());
    }
}
