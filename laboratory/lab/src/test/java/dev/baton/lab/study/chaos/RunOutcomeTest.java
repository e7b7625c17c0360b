package dev.baton.lab.study.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RunOutcomeTest {
    private static final FaultOutcome SURVIVED =
            new FaultOutcome(new Fault(1, FaultKind.PAUSE, List.of("s1"), 100, 100, 0), 1, 1, 1, null);

    @Test
    void aRunInWhichNothingWasInjectedIsNotSettled() {
        RunOutcome run = outcome(List.of(), 100, List.of());
        assertThat(run.hasPassed()).isTrue();
        assertThat(run.isSettled()).isFalse();
        assertThat(run.whyNotSettled()).containsExactly("no fault was injected");
    }

    @Test
    void aRunInWhichNothingWasSentIsNotSettled() {
        RunOutcome run = outcome(List.of(SURVIVED), 0, List.of());
        assertThat(run.isSettled()).isFalse();
        assertThat(run.whyNotSettled()).containsExactly("no message was sent");
    }

    @Test
    void aRunThatDidSomethingIsSettled() {
        RunOutcome run = outcome(List.of(SURVIVED), 100, List.of());
        assertThat(run.isSettled()).isTrue();
        assertThat(run.whyNotSettled()).isEmpty();
    }

    @Test
    void whatKeptItFromRunningIsReasonEnough() {
        RunOutcome run = outcome(List.of(), 0, List.of("no broker here"));
        assertThat(run.whyNotSettled()).containsExactly("no broker here");
    }

    private static RunOutcome outcome(List<FaultOutcome> faults, long sent, List<String> unsettled) {
        TopicAccount topic = new TopicAccount("a", sent, sent, 0, 0, 0, 0, 0, 0, null);
        Account account = new Account(List.of(topic), sent, 0, sent, 0, 0, 0, 0, true);
        return new RunOutcome(SetUp.CHRONICLE, faults, List.of(account), List.of(), false, unsettled);
    }
}
