package dev.baton.engine.inlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RememberedRequestsTest {
    private static final UUID ID = UUID.fromString("b0a7e1c2-4d7f-4a53-9f0e-5f3c3f0c9a11");

    private final RememberedRequests<Long> remembered = new RememberedRequests<>(
            new OpenRequests.Resends(10, Duration.ofMinutes(1).toNanos()));

    @Test
    void resendOfRefusedRequestWaitsForItsRefusal() {
        assertThat(remembered.add(ID, 1L, 0).isFirst()).isTrue();
        assertThat(remembered.add(ID, 2L, 0).isFirst()).isFalse();
        assertThat(remembered.remove(ID)).containsExactly(1L, 2L);
    }

    @Test
    void resendOfAnsweredRequestDoesNotWait() {
        RememberedRequests.Answer<Long> answer = new RememberedRequests.Answer<>(null, null, 0);
        remembered.add(ID, 1L, 0);
        assertThat(remembered.answered(ID, answer)).containsExactly(1L);
        assertThat(remembered.add(ID, 2L, 0)).isEqualTo(new RememberedRequests.Added<>(false, answer));
        assertThat(remembered.answer(ID, 0)).isSameAs(answer);
    }

    @Test
    void historyHasTheAnswerBeforeOneThatArrives() {
        RememberedRequests.Answer<Long> first = new RememberedRequests.Answer<>(Optional.of(4L), null, 0);
        RememberedRequests.Answer<Long> second = new RememberedRequests.Answer<>(Optional.of(5L), null, 0);
        remembered.beginHistory();
        remembered.add(ID, 0);
        remembered.arrived(ID, second);
        remembered.answered(ID, first);
        remembered.endHistory();
        assertThat(remembered.answer(ID, 0)).isSameAs(first);
    }

    @Test
    void answerThatArrivesDuringTheHistoryIsKept() {
        RememberedRequests.Answer<Long> first = new RememberedRequests.Answer<>(Optional.of(4L), null, 0);
        remembered.beginHistory();
        assertThat(remembered.isAwaited(ID)).isTrue();
        remembered.arrived(ID, first);
        assertThat(remembered.isAwaited(ID)).as("another one").isFalse();
        remembered.add(ID, 0);
        remembered.endHistory();
        assertThat(remembered.answer(ID, 0)).isSameAs(first);
        assertThat(remembered.isAwaited(ID)).isFalse();
    }
}
